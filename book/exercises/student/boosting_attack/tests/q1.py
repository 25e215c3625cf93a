from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#a-label-leaks-only-when-it-decides'>A label leaks only when it decides</a>.",
)
def test_two_and_three_labels(right_vote):
    mistakes = {
        1 / 4: "this is how much it exceeds 1/2",
        1
        / 2: "this is the probability that the label decides: the vote is then right for sure, and otherwise it is a coin",
        5
        / 8: "at most half of the labels may be wrong, so for n = 3 at most one",
        11
        / 16: "only the other n - 1 labels can leave the decision to this one",
        1: "this adds the whole probability that the label decides, but half of those votes would be right by luck anyway",
    }
    for n, reason in [
        (2, "the losses are 0, 1/2, 1/2 and 1, and 1/2 is kept"),
        (3, "the label decides if one of the other two is wrong"),
    ]:
        mine = right_vote(n)
        why = mistakes.get(mine, reason)
        assert mine == 3 / 4, (
            f"right_vote({n}) should be 3/4, you return {mine}: {why}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#a-label-leaks-only-when-it-decides'>A label leaks only when it decides</a>.",
)
def test_exactly(right_vote):
    ways = 1
    for i in range(1, 50):
        ways = ways * (50 + i) // i
    mine = right_vote(100)
    assert mine is not None, (
        "right_vote(100) should be a Fraction, you return None"
    )
    close = abs(mine - 0.5 - ways / 2**100) < 1e-12
    assert mine * 2**100 == 2**99 + ways, (
        "right_vote(100) is right to twelve digits but not exact: a float has 53 bits, so count in whole numbers and make the quotient a Fraction"
        if close
        else f"right_vote(100) should be about {0.5 + ways / 2**100:.6f}, you return about {float(mine):.6f}"
    )

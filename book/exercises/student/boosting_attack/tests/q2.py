from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#a-thousand-coin-files-read-the-board'>A thousand coin files read the board</a>.",
)
def test_one_label(accuracy_half):
    for k, text, value, mistakes in [
        (
            1,
            "3/4",
            3 / 4,
            {
                1 / 2: "an empty vote is a fair coin and not lost",
                1: "a submission of loss 1 is not kept and does not vote",
            },
        ),
        (
            2,
            "7/8",
            7 / 8,
            {3 / 4: "an empty vote is a fair coin and not lost"},
        ),
    ]:
        mine = accuracy_half(1, k)
        assert mine is not None, (
            f"accuracy_half(1, {k}) should be {text}, you return None"
        )
        rounded = isinstance(mine, float) or 0 < abs(mine - value) < 1e-09
        assert not rounded, (
            f"accuracy_half(1, {k}) should be an exact Fraction: floats round, also if they are made a Fraction in the end"
        )
        why = mistakes.get(mine, "a kept submission is right")
        assert mine == value, (
            f"accuracy_half(1, {k}) should be {text}, you return {mine}: {why}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#a-label-leaks-only-when-it-decides'>A label leaks only when it decides</a>.",
)
def test_three_labels(accuracy_half):
    for k, text, value, mistakes in [
        (
            1,
            "5/8",
            5 / 8,
            {
                3 / 8: "an empty vote is a fair coin and not lost",
                3
                / 4: "half of the submissions are not kept and do not vote",
            },
        ),
        (
            2,
            "11/16",
            11 / 16,
            {
                9 / 16: "an empty vote is a fair coin and not lost",
                41 / 64: "a vote of one to one is a fair coin and not lost",
                47 / 64: "a vote of one to one is a fair coin and not won",
                3
                / 4: "half of the submissions are not kept and do not vote",
            },
        ),
    ]:
        mine = accuracy_half(3, k)
        rounded = isinstance(mine, float) or (
            mine is not None and 0 < abs(mine - value) < 1e-09
        )
        assert not rounded, (
            f"accuracy_half(3, {k}) should be an exact Fraction: floats round, also if they are made a Fraction in the end"
        )
        why = mistakes.get(
            mine,
            "a submission is kept with probability 1/2, and a kept vote is right with probability 3/4",
        )
        assert mine == value, (
            f"accuracy_half(3, {k}) should be {text}, you return {mine}: {why}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#a-label-leaks-only-when-it-decides'>A label leaks only when it decides</a>.",
)
def test_two_labels(accuracy_half):
    mistakes = {
        11
        / 16: "for even n more than half of the submissions are kept, since 1/2 is",
        47
        / 64: "for even n a kept vote is worth less than an aligned one: the edge is halved and then divided by the probability of being kept",
        17 / 32: "a vote of one to one is a fair coin and not lost",
        25 / 32: "a vote of one to one is a fair coin and not won",
        5 / 8: "an empty vote is a fair coin and not lost",
        3 / 4: "a loss of 1 is not kept and does not vote",
        7
        / 8: "this is the value for one label: of two labels a loss of 1/2 is kept, and such a vote can be wrong",
    }
    mine = accuracy_half(2, 2)
    why = mistakes.get(
        mine,
        "a submission is kept with probability 3/4, and a kept vote is right with probability 2/3",
    )
    assert mine == 21 / 32, (
        f"accuracy_half(2, 2) should be 21/32, you return {mine}: {why}"
    )

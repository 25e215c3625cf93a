from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../tree_compression.ipynb#writing-a-node-in-few-bits'>Writing a node in few bits</a>.",
)
def test_twelve_levels(first_failure):
    mine, value = (first_failure(12), 56962058432)
    reason = "in nats the budget grows with k to the power 14 ln 2 = 9.7, and the tree with k to the power 12"
    if mine is None:
        reason += "; None would be right for bits, where the claim is true"
    mistakes = {
        value
        - 1: "this is the last k at which the claim holds, and the first one at which it fails is asked for",
        83485272: "this belongs to the tree of the simplified Ladder, and the Ladder has a smaller one",
    }
    assert mine == value, (
        f"first_failure(12) should be {value}: {mistakes.get(mine, reason)}; you return {mine}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../tree_compression.ipynb#writing-a-node-in-few-bits'>Writing a node in few bits</a>.",
)
def test_six_levels(first_failure):
    mine, value = (first_failure(6), 28048942763394577611987)
    reason = "the answer must be right to the last digit"
    if mine and 1000 < abs(mine - value) < value // 10**6:
        reason = "yours is close, but floats have 16 digits and cannot tell neighbouring k apart"
    if mine == value - 1:
        reason = "yours is the last k at which the claim holds"
    assert mine == value, (
        f"first_failure(6) should be {value}: {reason}; you return {mine}"
    )

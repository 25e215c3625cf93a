from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../hoeffding_union_bound.ipynb#one-file-is-rarely-off-by-much'>One file is rarely off by much</a>.",
)
def test_three_tenths(last_failure):
    mistakes = {
        77: "you stop at the first n that is good enough, but the probability rises again",
        82: "a deviation of exactly 1/e counts, too, and a float does not always see it; or do you halve an interval, as if the probability were monotone?",
        69: "a deviation of exactly 1/e counts, too, and you stop at the first n that is good enough",
        65: "you look at losses that are too high only",
        52: "you look at losses that are too high only, and stop too early",
        90: "you double one tail; for p = 3/10 the two are not equal",
        86: "that is the size from which on all is well, one more",
        184: "that is what Hoeffding's inequality gives; use the exact binomial law",
        185: "that is what Hoeffding's inequality gives; use the exact binomial law",
    }
    mine = last_failure(3, 10, 10, 20)
    assert mine == 85, (
        f"last_failure(3, 10, 10, 20) should be 85: {mistakes.get(mine, 'sum the binomial law over all c with 10 |10 c - 3 n| >= 10 n')}; you return {mine}"
    )

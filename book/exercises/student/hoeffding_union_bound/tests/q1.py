from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../hoeffding_union_bound.ipynb#a-thousand-files-cost-only-a-logarithm'>A thousand files cost only a logarithm</a>.",
)
def test_two_sizes(affordable):
    mistakes = {
        551: "a number that is rounded up breaks the promise",
        1101: "the bound is 2k exp(-2n/e^2): the 2 in front is for the two sides",
        3: "the exponent is -2n/e^2, you lost its 2",
        25: "the exponential is the natural one, not a power of 2",
        22026: "the bound must be at most 1/d, and not 1",
        11013: "the bound must be at most 1/d, and not 1",
    }
    mine = affordable(2000, 20, 20)
    assert mine == 550, (
        f"affordable(2000, 20, 20) should be 550: exp(10)/40 is 550.66; {mistakes.get(mine, 'solve 2k exp(-2n/e^2) <= 1/d for k')}; you return {mine}"
    )
    mine = affordable(500, 20, 20)
    assert mine == 0, (
        f"affordable(500, 20, 20) should be 0: for one classifier the bound is already 0.16; you return {mine}"
    )

from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#how-close-the-release-stays-to-the-best-loss'>How close the release stays to the best loss</a>.",
)
def test_ten_labels(extreme_gaps):
    never = "the lower end of the interval is never reached, since a half is rounded up"
    reduce = "an even count is a level, m = 5, and an odd one lies half way between two levels: only these remainders occur"
    for mechanism, low, high, mistakes in [
        (
            "simplified",
            0,
            5,
            {
                (-5, 5): never,
                (-4, 5): reduce,
                (-5, 0): "release less best loss, not the other way round",
            },
        ),
        (
            "ladder",
            0,
            10,
            {
                (
                    0,
                    5,
                ): "a submission that is refused leaves the release and can lower the best loss",
                (-5, 10): never,
                (-4, 10): reduce,
                (-10, 0): "release less best loss, not the other way round",
            },
        ),
    ]:
        gaps = extreme_gaps(mechanism, 10, 5)
        assert gaps is not None, (
            "extreme_gaps should return two Fractions, you return None"
        )
        mine = tuple(50 * gap for gap in gaps)
        why = mistakes.get(mine, "try all sequences of two submissions")
        assert mine == (low, high), (
            f"the gaps for {mechanism!r}, n = 10 and m = 5, should be {low}/50 and {high}/50, you return {gaps[0]} and {gaps[1]}: {why}"
        )
        assert not any(isinstance(gap, float) for gap in gaps), (
            "the gaps should be exact Fractions, you return floats"
        )

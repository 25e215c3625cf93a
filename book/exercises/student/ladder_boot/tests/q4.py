from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder_boot.ipynb#does-the-noise-hide-a-jump'>Does the noise hide a jump?</a>.",
)
def test_ten_releases(find_changes):
    import numpy as np

    falling = [5, 5, 5, 3, 2, 2, 2, 0, 5, 1]
    for signal, j, value, reason, mistakes in [
        (
            [3, 3, 3, 1, 1],
            1,
            [3],
            "the releases from index 3 on are smaller",
            {
                (
                    2,
                ): "a place is the index of the first release after the change",
                (4,): "indices begin at 0",
            },
        ),
        (
            falling,
            1,
            [3],
            "the first three releases are 5, and the others have a mean near 2",
            {
                (
                    8,
                ): "you look for the largest step between two neighbours",
                (
                    2,
                ): "a place is the index of the first release after the change",
                (9,): "do you weigh the parts by their lengths?",
            },
        ),
        (
            falling,
            2,
            [3, 8],
            "after the split at 3 the second segment is best split at 8",
            {
                (
                    3,
                    9,
                ): "you compare means without the lengths of the parts; a part of one release is noisy",
                (
                    8,
                    9,
                ): "you look for the largest steps between two neighbours",
                (
                    3,
                    4,
                ): "you take the two best splits of the whole list; the second split is that of a segment",
                (
                    2,
                    7,
                ): "a place is the index of the first release after the change",
                (8, 3): "in rising order",
            },
        ),
        (
            falling[::-1],
            2,
            [2, 7],
            "after the split at 7 the first segment is better split than the second",
            {
                (7, 8): "any segment may be split, not only the last one",
                (7, 9): "any segment may be split, not only the last one",
                (7, 2): "in rising order",
            },
        ),
        (
            [0, 3, 0],
            1,
            [1],
            "both splits are equally good, and then the first one counts",
            {
                (
                    2,
                ): "both splits are equally good, and then the first one counts"
            },
        ),
        (
            [0, 4, 100, 104],
            2,
            [1, 2],
            "after the split at 2 both segments are equally good to split, and then the first one counts",
            {
                (
                    2,
                    3,
                ): "after the split at 2 both segments are equally good to split, and then the first one counts"
            },
        ),
    ]:
        mine = find_changes(np.array(signal, dtype=float), j)
        assert mine is not None, (
            f"find_changes({signal}, {j}) should be {value}: {reason}; you return None"
        )
        mine = [int(place) for place in mine]
        assert mine == value, (
            f"find_changes({signal}, {j}) should be {value}, you return {mine}: {mistakes.get(tuple(mine), reason)}"
        )

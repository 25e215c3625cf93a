from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../freedman_attack.ipynb#the-last-change-is-enough'>The last change is enough</a>.",
)
def test_two_boards(where_to_look):
    import numpy as np

    ladder = [1.0, 1.0, 0.75, 0.5, 0.5, 0.5, 0.5]
    every = [0.75, 1.0, 0.5, 1.0, 0.75, 1.0]
    for case, features, last, wrong, mistakes in [
        (
            (ladder, 3, "first", None),
            [3, 4, 5],
            3,
            {(6, 5, 4): "of equal releases the first one comes first"},
            {
                2: "the list of differences begins with the second release, so its indices are smaller by one",
                0: "this is the first change, and the last one is asked for",
                6: "do you count releases, or those that are equal?",
            },
        ),
        (
            (ladder, 3, "last", None),
            [6, 5, 4],
            3,
            {
                (
                    4,
                    5,
                    6,
                ): "best first: of equal releases the last one comes first",
                (3, 4, 5): "of equal releases the last one comes first",
                (
                    5,
                    4,
                    3,
                ): "you take the same features and turn them round; of four equal releases the last three are taken",
                (0, 1, 2): "small is good",
            },
            {},
        ),
        (
            (every, 4, "last", 1.0),
            [2, 4, 0, 5],
            5,
            {
                (
                    2,
                    4,
                    0,
                    1,
                ): "three releases are 1.0, and the last of them comes first",
                (5, 3, 1, 4): "small is good",
            },
            {
                2: "this is the smallest release; a board that shows every score goes up again, and that is a change",
                4: "the list of differences begins with the second release, so its indices are smaller by one",
            },
        ),
        (
            ([0.5, 0.5, 0.5], 1, "first", 0.5),
            [0],
            None,
            {},
            {0: "the board showed 0.5 before, so nothing has changed"},
        ),
        (
            ([0.5, 0.5, 0.5], 1, "first", 0.75),
            [0],
            0,
            {},
            {
                None: "the board showed 0.75 before, so the first release is a change"
            },
        ),
        (
            ([0.5, 0.5, 0.5], 1, "first", None),
            [0],
            0,
            {},
            {
                None: "the board had shown nothing, so the first release is a change"
            },
        ),
    ]:
        released, top, ties, shown = case
        mine = where_to_look(np.array(released), top, ties, shown)
        assert mine is not None, (
            f"where_to_look{case} should be ({features}, {last}); you return None"
        )
        found = [int(feature) for feature in mine[0]]
        index = None if mine[1] is None else int(mine[1])
        reason = "the smallest releases come first"
        if [released[i % len(released)] for i in found] == [
            released[i] for i in features
        ]:
            reason = "the releases are in order, and those that are equal are not"
        reason = wrong.get(tuple(found), reason)
        assert found == features, (
            f"where_to_look{case} should find the features {features}, you find {found}: {reason}"
        )
        reason = mistakes.get(
            index, "compare each release with the one before"
        )
        assert index == last, (
            f"where_to_look{case} should give the last change {last}, you give {index}: {reason}"
        )

from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../silent_board.ipynb#friends-read-every-label'>Friends read every label</a>.",
)
def test_ten_labels(heard):
    wrong = [5, 3, 6, 2, 4]
    for m, fresh, right, mistakes in [
        (
            10,
            True,
            [5, 3, 6, 2, 4],
            {
                "5 3 3 2 2": "a fresh account has no best file so far",
                "5 3 5 2 4": "a fresh account has no best file so far",
            },
        ),
        (
            10,
            False,
            [5, 3, 3, 2, 2],
            {"5 3 6 2 4": "one account hears the lowest level so far"},
        ),
        (
            4,
            True,
            [2, 1, 2, 1, 2],
            {
                "2 1 2 0 1": "levels are rounded to the nearest step, not down",
                "2 1 2 1 1": "a fresh account has no best file so far",
                "2 2 3 1 2": "levels are rounded to the nearest step, not up",
                "2 1 1 1 1": "a fresh account has no best file so far",
            },
        ),
        (
            1,
            True,
            [1, 0, 1, 0, 0],
            {"0 0 1 0 0": "a loss halfway between two steps is rounded up"},
        ),
    ]:
        mine = heard(list(wrong), 10, m, fresh)
        assert mine is not None, (
            f"heard({wrong}, 10, {m}, {fresh}) should be {right}, you return None"
        )
        mine = [int(level) for level in mine]
        why = mistakes.get(" ".join(map(str, mine)), "")
        assert mine == right, (
            f"heard({wrong}, 10, {m}, {fresh}) should be {right}, you return {mine}"
            + (f": {why}" if why else "")
        )

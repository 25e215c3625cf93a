from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../parameter_free_ladder.ipynb#two-counts-decide'>Two counts decide</a>.",
)
def test_a_few_labels(accepts):
    for case, value, reason, mistake in [
        ((2, 0, 10, 1, 1), True, "d = 2, and 4 > 2", "do you refuse all"),
        (
            (0, 9, 10, 1, 1),
            False,
            "the submission is worse",
            "do you square without looking at the sign",
        ),
        (
            (1, 0, 10, 1, 2),
            True,
            "1 * (4 * 9 + 1) > 1 * 10 * 1",
            "is c = p/q left out, or turned over",
        ),
        (
            (2, 0, 10, 2, 1),
            False,
            "4 * (9 + 4) = 52 is not above 4 * 10 * 2 = 80",
            "is c left out, or not squared",
        ),
        (
            (3, 0, 10, 2, 1),
            False,
            "9 * (9 + 4) = 117 is not above 4 * 10 * 3 = 120",
            "do you divide the squared deviations by n, where n - 1 should stand",
        ),
        (
            (3, 0, 9, 2, 1),
            False,
            "9 * (8 + 4) = 4 * 9 * 3 is a tie, and a tie is refused",
            "is there >= where > should stand",
        ),
        (
            (1, 0, 10, 1, 1),
            False,
            "one label put right is a tie with c = 1",
            "do you take square roots in floats, which cannot see a tie",
        ),
        (
            (3, 0, 8, 2, 1),
            True,
            "99 > 96",
            "do you leave n out, which plays no part for c = 1 only",
        ),
    ]:
        mine = accepts(*case)
        assert mine is not None, (
            f"accepts{case} should be {value}: {reason}; you return None"
        )
        assert bool(mine) == value, (
            f"accepts{case} should be {value}: {reason}; {mistake}?"
        )

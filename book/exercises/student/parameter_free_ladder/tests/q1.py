from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../parameter_free_ladder.ipynb#two-counts-decide'>Two counts decide</a>.",
)
def test_a_few_labels(accepts):
    cases = [
        ((2, 0, 10, 1, 1), True, "d = 2, and 4 > 2"),
        ((0, 9, 10, 1, 1), False, "the submission is worse"),
        ((1, 0, 10, 1, 2), True, "1 * (4 * 9 + 1) > 1 * 10 * 1"),
        (
            (2, 0, 10, 2, 1),
            False,
            "4 * (9 + 4) = 52 is not above 4 * 10 * 2 = 80",
        ),
        (
            (3, 0, 10, 2, 1),
            False,
            "9 * (9 + 4) = 117 is not above 4 * 10 * 3 = 120",
        ),
        (
            (3, 0, 9, 2, 1),
            False,
            "9 * (8 + 4) = 4 * 9 * 3 is a tie, and a tie is refused",
        ),
        (
            (1, 0, 10, 1, 1),
            False,
            "one label put right is a tie with c = 1",
        ),
        ((3, 0, 8, 2, 1), True, "99 > 96"),
    ]
    mistakes = {
        (0, 2, 7): "you refuse all",
        (1, 3, 4, 5, 6): "you accept all",
        (1,): "do you square without looking at the sign?",
        (2, 3, 4, 5): "is c = p/q left out, or turned over?",
        (3, 4, 5): "is c not squared?",
        (
            4,
            5,
            6,
        ): "do you divide the squared deviations by n, where n - 1 should stand?",
        (5, 6): "is there >= where > should stand?",
        (6,): "do you take square roots in floats, which cannot see a tie?",
        (7,): "do you leave n out, which plays no part for c = 1 only?",
    }
    found = [accepts(*case) for case, *_ in cases]
    wrong = tuple(
        (
            i
            for i, (_, value, _) in enumerate(cases)
            if found[i] is None or bool(found[i]) != value
        )
    )
    first = wrong[0] if wrong else 0
    case, value, reason = cases[first]
    known = None not in found and wrong in mistakes
    why = f": {mistakes[wrong]}" if known else ""
    assert not wrong, (
        f"accepts{case} should be {value}, since {reason}; you return {found[first]}{why}"
    )

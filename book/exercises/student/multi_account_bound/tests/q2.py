from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4


@test_case(points=None, hidden=False)
def test_short_histories(fewest_accounts):
    for history, value, reason in [
        ([], 0, "no release needs no account"),
        ([3, 3, 1], 1, "one account may stay where it is, or fall"),
        (
            [3, 2, 2, 3, 2, 2, 1, 1, 1],
            2,
            "the release 3 comes after 2, and no account rises",
        ),
    ]:
        mine = fewest_accounts(history)
        assert mine == value, (
            f"fewest_accounts({history}) should be {value}: {reason}; you return {mine}"
        )

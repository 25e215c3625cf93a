from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4


@test_case(points=None, hidden=False)
def test_few_labels(fewest_submissions):
    for n, accounts, value, reason in [
        (5, 2, 6, "the first answer is always 1, each later one is 1 or 2"),
        (3, 3, 4, "there are at most 1, 2, 3 and 3 answers, and 18 >= 8"),
        (1, 9, 2, "the first answer says nothing, the second is 1 or 2"),
    ]:
        mine = fewest_submissions(n, accounts)
        assert mine == value, (
            f"fewest_submissions({n}, {accounts}) should be {value}: {reason}; you return {mine}"
        )

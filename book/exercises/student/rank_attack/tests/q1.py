from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3


@test_case(points=None, hidden=False)
def test_a_tie(ranks):
    log = [("ann", 4), ("bob", 3), ("ann", 3), ("bob", 5), ("ann", 2)]
    reason = "ann reaches 3 after bob and stays behind him, though she was there first; bob keeps his best"
    mine = [int(rank) for rank in ranks(log)]
    assert mine == [1, 1, 2, 1, 1], (
        f"ranks({log}) should be [1, 1, 2, 1, 1]: {reason}; you return {mine}"
    )

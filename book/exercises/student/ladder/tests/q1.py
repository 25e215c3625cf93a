from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3


@test_case(points=None, hidden=False)
def test_one_account(ladder_step):
    seen = []
    for wrong in (6, 5, 4, 3):
        seen.append(ladder_step(seen[-1] if seen else None, wrong, 10, 10))
    reason = "a loss lower by exactly 1/m is a tie, and a tie is refused"
    assert seen == [6, 6, 4, 4], (
        f"with n = m = 10, the counts 6, 5, 4, 3 should release 6, 6, 4, 4: {reason}; you release {seen}"
    )

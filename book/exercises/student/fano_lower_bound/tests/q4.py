from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 6


@test_case(points=None, hidden=False)
def test_one_point(release):
    total = 0
    for ones in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        shown = [float(value) for value in release(list(ones), 1, 1 / 4)]
        assert len(shown) == 2, (
            f"there should be k = 2 releases, you return {len(shown)}"
        )
        for needle in (0, 1):
            chance = (3 / 16, 1 / 16)[ones[needle]]
            risks = (1 / 4 if needle == 0 else 1 / 2, 1 / 4)
            errors = [abs(a - b) for a, b in zip(shown, risks, strict=True)]
            total += chance * max(errors)
    assert total < 3 / 32 + 1e-09, (
        f"with n = 1, k = 2 and epsilon = 1/4 an expected error of 3/32 = 0.09375 is possible, since the better guess is right with probability 5/8; yours is {total:.5f}"
    )

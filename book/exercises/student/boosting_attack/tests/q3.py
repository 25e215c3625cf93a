from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5


@test_case(points=None, hidden=False)
def test_one_label(accuracy_half):
    reason = "a kept submission is right, and an empty vote is a fair coin"
    for k, value in [(1, 3 / 4), (2, 7 / 8)]:
        mine = accuracy_half(1, k)
        assert abs(mine - value) < 1e-09, (
            f"accuracy_half(1, {k}) should be {value}: {reason}; you return {mine}"
        )


@test_case(points=None, hidden=False)
def test_three_labels_one_submission(accuracy_half):
    reason = "it is kept with probability 1/2, and a kept vote is right with probability 3/4"
    mine = accuracy_half(3, 1)
    assert abs(mine - 5 / 8) < 1e-09, (
        f"accuracy_half(3, 1) should be 5/8: {reason}; you return {mine}"
    )

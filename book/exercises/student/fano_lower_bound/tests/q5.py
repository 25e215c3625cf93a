from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#the-best-decoder'>The best decoder</a>.",
)
def test_one_point(release):
    for k, epsilon, value, reason, mistakes in [
        (
            2,
            1 / 4,
            3 / 32,
            "the better guess is right with probability 5/8, and if both are wrong or both right, each is as probable as the other",
            [
                (1 / 8, "you are careful whatever the sample says"),
                (
                    7 / 64,
                    "you release the mean of the best true risk, which is not best for the largest error",
                ),
                (
                    0.453125,
                    "you release the smallest loss so far, and a loss on one point says little",
                ),
            ],
        ),
        (
            3,
            1 / 8,
            1 / 16,
            "no needle is ever more probable than 5/11, so it never pays to be bold",
            [
                (
                    0.0755208,
                    "you are bold although the best guess is wrong more often than right",
                ),
                (
                    0.0644531,
                    "you are bold when one count is the smallest, and even then the guess may be wrong more often than right",
                ),
                (
                    0.0833333,
                    "you release the median of the best true risk, which is best for each t alone",
                ),
                (
                    0.0696994,
                    "you release the mean of the best true risk, which is not best for the largest error",
                ),
            ],
        ),
    ]:
        total = 0
        for code in range(2**k):
            ones = [code >> i & 1 for i in range(k)]
            shown = release(list(ones), 1, epsilon)
            assert shown is not None, (
                f"release({ones}, 1, {epsilon}) should be a list of {k} numbers; you return None"
            )
            assert len(shown) == k, (
                f"there should be k = {k} releases, you return {len(shown)}"
            )
            for needle in range(k):
                chance = 1 / 2 + epsilon * (-1 if ones[needle] else 1)
                errors = [
                    abs(float(value) - 1 / 2 + epsilon * (t >= needle))
                    for t, value in enumerate(shown)
                ]
                assert all(error == error for error in errors), (
                    f"release({ones}, 1, {epsilon}) should be a list of numbers; you return {shown}"
                )
                total += chance / 2 ** (k - 1) / k * max(errors)
        for number, mistake in mistakes:
            reason = mistake if abs(total - number) < 1e-06 else reason
        assert total < value + 1e-09, (
            f"with n = 1, k = {k} and epsilon = {epsilon} an expected error of {value} is possible: {reason}; yours is {total:.5f}"
        )

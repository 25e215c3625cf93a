from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder_boot.ipynb#the-law-of-a-release'>The law of a release</a>.",
)
def test_a_few_losses(noise):
    import numpy as np

    for losses, resamples, single, mean, singles, means in [
        (
            [0, 2],
            [2],
            [0.5],
            0.5,
            {
                0.5
                ** 0.5: "s is the deviation of the list of losses, with the denominator n, not n - 1",
                0.25: "this is the variance",
                1.0: "the release is a mean of b n draws, so s is divided by the root of b n",
            },
            {0.25: "this is the variance"},
        ),
        (
            [0, 2],
            [2, 8],
            [0.5, 0.25],
            5**0.5 / 8,
            {
                0.5
                ** 0.5: "s is the deviation of the list of losses, with the denominator n, not n - 1"
            },
            {
                0.375: "you take the mean of the deviations; independent releases add up in variance",
                5**0.5
                / 4: "this is the deviation of the sum; the mean is half of it",
                0.1
                ** 0.5: "this is the noise of one release from 5 resamples, the mean of 2 and 8",
                0.05
                ** 0.5: "this is the noise of all 10 resamples in one, and so of the best weighted mean; in the plain mean the noisy release has the same weight as the other",
                0.15625
                ** 0.5: "this is the root of the mean variance; divide by the root of T once more",
                5 / 64: "this is the variance",
            },
        ),
        (
            [4, 4, 4, 4, 9],
            [5, 5, 5, 5],
            [0.4, 0.4, 0.4, 0.4],
            0.2,
            {
                5**0.5
                / 5: "s is the deviation of the list of losses, with the denominator n, not n - 1",
                2 / 5**0.5: "is n or b left out?",
                2.0: "a release is a mean of b n draws",
            },
            {
                0.4: "the mean of four releases has half the noise of one",
                0.1: "the noise falls with the root of T",
            },
        ),
    ]:
        mine = noise(np.array(losses, dtype=float), resamples)
        assert mine is not None, (
            f"noise({losses}, {resamples}) should be the pair ({single}, {mean}); you return None"
        )
        found = [float(value) for value in mine[0]]
        assert len(found) == len(single), (
            f"{len(single)} releases have {len(single)} deviations, you return {len(found)}"
        )
        for value, right in zip(found, single, strict=True):
            reason = (
                "what is the variance of one draw, and how many are there?"
            )
            for number, mistake in singles.items():
                if abs(value - number) < 1e-09:
                    reason = mistake
            assert abs(value - right) < 1e-09, (
                f"losses {losses}, resamples {resamples}: the deviations should be {single}, you return {found}: {reason}"
            )
        value = float(mine[1])
        reason = (
            "the variance of the mean is the sum of variances by T squared"
        )
        for number, mistake in means.items():
            if abs(value - number) < 1e-09:
                reason = mistake
        assert abs(value - mean) < 1e-09, (
            f"losses {losses}, resamples {resamples}: the mean has the deviation {mean}, you return {value}: {reason}"
        )

from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder_boot.ipynb#averaging-it-away'>Averaging it away</a>.",
)
def test_one_jump(repeats_needed):
    for case, value, reason, mistakes in [
        (
            (0.01, 1, 2, 100, 10, 0.05),
            136,
            "z is 1.645, and z**2 * 5 / (1000 * 0.0001) is 135.3",
            {
                135: "135 releases are not quite enough; round up",
                193: "z is the quantile for both tails; only one kind of mistake is possible here",
                1353: "b is left out",
                13528: "n is left out",
                244: "deviations do not add up, variances do",
                28: "the release after the jump is noisy, too",
                109: "the release before the jump is noisy, too",
                68: "the variances are added up, not averaged",
                12: "the noise falls with the root of T",
                271: "T is how many releases there are of either kind, not in all",
            },
        ),
        (
            (0.02, 1, 2, 100, 10, 0.05),
            34,
            "twice the gain, a quarter of 135.3",
            {68: "the number falls with the square of the gain"},
        ),
        (
            (0.01, 1, 2, 100, 10, 0.9),
            1,
            "a right answer with probability 1/10 is had for one release",
            {
                83: "for delta above 1/2 the quantile is negative; do not square it",
                0: "T is at least 1",
            },
        ),
        (
            (5.0, 1, 2, 100, 10, 0.05),
            1,
            "the gain is so large that one release is enough",
            {0: "T is at least 1"},
        ),
    ]:
        mine = repeats_needed(*case)
        assert mine is not None, (
            f"repeats_needed{case} should be {value}: {reason}; you return None"
        )
        assert mine == value, (
            f"repeats_needed{case} should be {value}, you return {mine}: {mistakes.get(mine, reason)}"
        )

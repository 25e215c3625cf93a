from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../freedman_attack.ipynb#what-chance-alone-shows'>What chance alone shows</a>.",
)
def test_two_to_four_people(permuted_score):
    import numpy as np

    for predictions, mean, variance, means, variances in [
        (
            [3, 1, 1, 1],
            3.75,
            0.75,
            {
                4.0: "the squares of scaled responses add up to n - 1, not to n",
                12.75: "the squared predictions are averaged, not added up",
                3.0: "the squares of the responses add (n - 1) / n = 3/4 to this",
                3.0 + 1.0 / 4: "(n - 1) / n is 3/4, not 1/4",
            },
            {
                3.0: "do the deviations of the predictions count from their mean? What all predictions have in common cannot matter, as the responses add up to 0",
                1.0: "the divisor is n**2, not n * (n - 1)",
                0.1875: "C is there twice in the score, so its variance counts four times",
                0.375: "C is there twice in the score, so its variance counts four times",
                0.75**0.5: "this is the standard deviation",
                0.5625: "the variance of C is the sum of squared deviations as it is: two responses are negatively correlated",
                2.25: "two responses are not independent, as nobody can have the response of another",
            },
        ),
        ([0, 0, 0, 0], 0.75, 0.0, {}, {}),
        ([1, 0], 1.0, 0.5, {}, {}),
        ([1, 1, 1], 5 / 3, 0.0, {}, {4 / 3: "all scores are equal here"}),
    ]:
        mine = permuted_score(np.array(predictions))
        assert mine is not None, (
            f"permuted_score({predictions}) should be the pair ({mean}, {variance}); you return None"
        )
        for name, value, right, mistakes in [
            ("mean", float(mine[0]), mean, means),
            ("variance", float(mine[1]), variance, variances),
        ]:
            reason = "try all permutations of a small list of responses"
            for number, mistake in mistakes.items():
                if abs(value - number) < 1e-09:
                    reason = mistake
            assert abs(value - right) < 1e-09, (
                f"for the predictions {predictions} the {name} should be {right}, you return {value}: {reason}"
            )

from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#hints-add-up-faster-than-luck'>Hints add up faster than luck</a>.",
)
def test_odd_m(budget):
    odd = "an even number of votes is worth exactly the odd number below it, so one more submission is allowed"
    first = "this many are too many: return the largest number that is still within the tolerance"
    half = "this is half of it: with h as both parameters, betainc stands for 2h votes"
    for n, m, tolerance, value, mistakes in [
        (99, 5, 0.1, 10, {9: odd, 11: first, 12: first, 5: half}),
        (1000, 101, 0.02, 4, {3: odd, 5: first, 6: first, 2: half}),
    ]:
        mine = budget(n, m, tolerance)
        why = mistakes.get(
            mine,
            "for odd m rounding moves nothing but a loss of exactly 1/2",
        )
        assert mine == value, (
            f"budget({n}, {m}, {tolerance}) should be {value}, you return {mine}: {why}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#rounding-the-scores-only-moves-the-cut'>Rounding the scores only moves the cut</a>.",
)
def test_eight_steps(budget):
    mistakes = {
        10: "you leave the cut at half of the labels, but with m = 8 a loss of 0.56 is released as 1/2 and kept",
        9: "you leave the cut at half of the labels, but with m = 8 a loss of 0.56 is released as 1/2 and kept",
        53: "an even number of votes is worth exactly the odd number below it, so one more submission is allowed",
        55: "this many are too many: return the largest number that is still within the tolerance",
        56: "this many are too many: return the largest number that is still within the tolerance",
    }
    mine = budget(100, 8, 0.1)
    why = mistakes.get(
        mine, "the last count that is kept is 56, which is released as 1/2"
    )
    assert mine == 54, (
        f"budget(100, 8, 0.1) should be 54, you return {mine}: {why}"
    )

from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../submission_budget.ipynb#how-sure-is-a-median'>How sure is a median?</a>.",
)
def test_one_and_three(verdicts):
    for case, ways, reason, mistakes in [
        (
            (1, 1, 1, 3),
            (2, 0, 1),
            "one value is its own interval",
            {(1, 0, 2): "safe is above -tau"},
        ),
        (
            (3, 1, 1, 3),
            (8, 18, 1),
            "safe if none of three is below, unsafe if all are",
            {
                (1, 18, 8): "safe is above -tau",
                (3.375, 20.25, 3.375): "the chance is u, not 1/2",
                (20, 0, 7): "at most k - 1 values, not k",
            },
        ),
    ]:
        mine = verdicts(*case)
        assert mine is not None, f"verdicts{case} returns None"
        all_ways = case[3] ** case[0]
        found = tuple(chance * all_ways for chance in mine)
        assert found == ways, (
            f"verdicts{case} should be {ways}, each divided by {all_ways}: {mistakes.get(found, reason)}; you return {found}"
        )

from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../submission_budget.ipynb#how-sure-is-a-median'>How sure is a median?</a>.",
)
def test_the_numbers_from_one_on(median_interval):
    for n, m, value, reason, mistakes in [
        (
            5,
            40,
            None,
            "1/32 is above 1/40",
            {(1, 5): "1/40 is the share of one side, not of both"},
        ),
        (6, 40, (1, 6), "1/64 is at most 1/40, 7/64 is not", {}),
        (
            5,
            32,
            (1, 5),
            "1/32 is allowed",
            {None: "a share of exactly 1/32 is allowed"},
        ),
        (
            9,
            40,
            (2, 8),
            "10/512 is at most 1/40, 46/512 is not",
            {
                (
                    1,
                    9,
                ): "the k-th value is beyond the median if at most k - 1 are not",
                (3, 7): "at most k - 1 values, not fewer",
            },
        ),
    ]:
        mine = median_interval(list(range(n, 0, -1)), m)
        mine = mine if mine is None else tuple(mine)
        known = f": {mistakes[mine]}" if mine in mistakes else ""
        assert mine == value, (
            f"{n} values, m = {m}: should be {value}, since {reason}; you return {mine}{known}"
        )

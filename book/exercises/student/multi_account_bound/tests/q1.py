from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#is-a-better-than-b'>Is A better than B?</a>.",
)
def test_two_or_three_levels(labels_for_lead):
    for lead, value, reason, mistakes in [
        (
            3,
            3112,
            "rounding two scores can cost one level, so two levels are left for two deviations",
            {
                1992: "you round only one of the two scores, and both are rounded, one up and one down",
                1383: "you forget that the two scores are rounded, which can cost a whole level",
                778: "you give all that rounding leaves to one deviation, and each of the two accounts has its own",
                2886: "you count the histories of exactly k - 1 releases, and the shorter ones are nodes, too",
                4408: "you take the logarithm in bits, and the exponent is in nats",
                3077: "you have one tail of Hoeffding's inequality, and a loss can be off in both directions",
            },
        ),
        (
            2,
            12446,
            "one level is left for two deviations, so they may be half as large as with a lead of three levels",
            {},
        ),
    ]:
        mine = labels_for_lead(lead, 10, 1000, 1, 0.05)
        assert mine == value, (
            f"labels_for_lead({lead}, 10, 1000, 1, 0.05) should be {value}: {mistakes.get(mine, reason)}; you return {mine}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#counting-the-nodes'>Counting the nodes</a>.",
)
def test_more_accounts_than_submissions(labels_for_lead):
    mine = labels_for_lead(2, 4, 3, 9, 0.1)
    mistakes = {
        308: "you count falls of all nine accounts, and three submissions come from at most three",
        245: "you take the count of falls, and the count of all sequences of levels is smaller here",
    }
    reason = "there are at most 31 nodes"
    assert mine == 206, (
        f"labels_for_lead(2, 4, 3, 9, 0.1) should be 206: {mistakes.get(mine, reason)}; you return {mine}"
    )

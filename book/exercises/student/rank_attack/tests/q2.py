from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../rank_attack.ipynb#alone-no-two-accounts-can-do-it-faster'>Alone, no two accounts can do it faster</a>.",
)
def test_few_labels(fewest_submissions):
    early = "no more than t accounts can be on the board after t submissions, so the first answer is always 1"
    late = (
        "an account that is new counts as well: the second answer is 1 or 2"
    )
    for n, accounts, value, mistakes, reason in [
        (
            5,
            2,
            6,
            {5: early, 7: late},
            "each answer but the first is 1 or 2",
        ),
        (
            3,
            3,
            4,
            {2: early, 3: early, 5: late},
            "there are at most 1, 2, 3 and 3 answers, and 18 >= 8",
        ),
        (
            10,
            4,
            7,
            {
                5: early,
                8: late,
                11: "one bit from each answer is right for two accounts; among four there are four places",
                6: "1 * 2 * 3 * 4 * 4 * 4 = 384 is not enough for 1024 label vectors",
            },
            "1 * 2 * 3 * 4 * 4 * 4 * 4 = 1536 >= 1024",
        ),
    ]:
        mine = fewest_submissions(n, accounts)
        assert mine == value, (
            f"fewest_submissions({n}, {accounts}) should be {value}, you return {mine}: {mistakes.get(mine, reason)}"
        )

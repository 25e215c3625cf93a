from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#interleaved-histories'>Interleaved histories</a>.",
)
def test_short_histories(fewest_accounts):
    for history, value, reason, mistakes in [
        ([], 0, "no release needs no account", {}),
        (
            [3, 3, 1],
            1,
            "one account may stay where it is, or fall",
            {
                2: "is there an account for each level, or may no account repeat its release"
            },
        ),
        (
            [3, 2, 2, 3, 2, 2, 1, 1, 1],
            2,
            "the release 3 comes after 2, and no account rises",
            {
                1: "one account cannot rise from 2 to 3",
                3: "is there an account for each level",
            },
        ),
        (
            [1, 2, 0, 2, 0, 1],
            2,
            "one account shows 1, 0, 0 and the other 2, 2, 1",
            {
                3: "does a low release use up the highest account, which the next high release needs",
                4: "do you count the rises, though an old account may still stand high",
            },
        ),
    ]:
        mine = fewest_accounts(list(history))
        guess = f"; {mistakes[mine]}?" if mine in mistakes else ""
        assert mine == value, (
            f"fewest_accounts({history}) should be {value}: {reason}; you return {mine}{guess}"
        )

from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../rank_attack.ipynb#each-answer-settles-one-label'>Each answer settles one label</a>.",
)
def test_three_accounts(standings):
    for log, right, mistakes in [
        (
            [("ann", 1), ("cat", 1), ("ann", 2), ("cat", 1), ("bob", 1)],
            ["bob", "cat", "ann"],
            {
                "cat bob ann": "you sort by the last answers, but bob has passed cat and ann since theirs",
                "ann cat bob": "you sort by the best answers, but who is passed falls back",
                "bob ann cat": "who passes others does not change places with one of them: all of them are pushed back by one",
                "ann bob cat": "rank 1 is the first place, which a list calls 0",
            },
        ),
        (
            [("ann", 1), ("bob", 1), ("cat", 1), ("ann", 2)],
            ["cat", "ann", "bob"],
            {
                "cat bob ann": "ann had been pushed back to rank 3 when she was answered 2, so she has moved although 2 is more than her last answer",
                "bob cat ann": "you sort by the last answers, but cat has passed bob since his",
            },
        ),
    ]:
        mine = standings(list(log))
        assert mine is not None, (
            f"standings({log}) should be {right}, you return None"
        )
        mine = [str(account) for account in mine]
        why = mistakes.get(
            " ".join(mine), "only the account that submits moves"
        )
        assert mine == right, (
            f"standings({log}) should be {right}, you return {mine}: {why}"
        )

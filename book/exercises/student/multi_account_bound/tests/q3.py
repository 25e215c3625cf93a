from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#counting-the-nodes'>Counting the nodes</a>.",
)
def test_by_hand(largest_tree):
    for case, value, reason, mistakes in [
        (
            (1, 3, 1, 3),
            6,
            "one account gives the histories (), 1, 0, 11, 10, 00",
            {
                3: "so many are the longest histories, and the shorter ones are nodes, too",
                5: "this is without the empty history",
                10: "you count the histories of k releases, too, and the nodes have fewer than k",
            },
        ),
        (
            (1, 3, 2, 2),
            7,
            "after the release 0 the analyst turns to the other account, and all 1 + 2 + 4 histories are possible",
            {6: "you use one account only"},
        ),
        (
            (2, 1, 1, 1),
            1,
            "with k = 1 only the empty history has fewer than k releases",
            {},
        ),
        (
            (1, 8, 2, 4),
            84,
            "the best choice of the account depends on the levels and on what each has left",
            {
                70: "you use the accounts in turns, whatever they show",
                92: "you forget the cap",
                90: "your accounts submit five times, and the cap is four",
            },
        ),
    ]:
        mine = largest_tree(*case)
        assert mine == value, (
            f"largest_tree{case} should be {value}: {mistakes.get(mine, reason)}; you return {mine}"
        )

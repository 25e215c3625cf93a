from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../tree_compression.ipynb#what-can-follow-a-release'>What can follow a release</a>.",
)
def test_two_steps(count_nodes):
    for margin, value, reason, mistakes in [
        (
            0,
            10,
            "after level j any level up to j can follow",
            {
                20: "you count the histories of up to k releases, and the nodes have fewer than k",
                6: "do you count the leaves only, where the shorter histories are nodes, too, or m levels, where there are m + 1?",
                9: "is the empty history, the root, missing, or is level 0 kept from following level 1, which it may with margin 0?",
            },
        ),
        (
            1,
            9,
            "after level 1 level 0 cannot follow: no loss is below 0",
            {
                10: "you let level 0 follow level 1, as if there were no margin, but no loss is lower by more than one step",
                8: "you forget that rounding lifts a loss just below 1/m to level 1, so that level 1 can follow level 2",
            },
        ),
        (
            2,
            7,
            "after level 2 no loss is lower by more than 2 steps",
            {
                8: "you let level 0 follow level 2, but no loss is lower by more than two steps",
                10: "you ignore the margin",
            },
        ),
    ]:
        mine = count_nodes(margin, 2, 3)
        assert mine == value, (
            f"count_nodes({margin}, 2, 3) should be {value}, you return {mine}: {mistakes.get(mine, reason)}"
        )

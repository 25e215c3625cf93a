from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../hoeffding_union_bound.ipynb#one-file-is-rarely-off-by-much'>One file is rarely off by much</a>.",
)
def test_three_points(tail_with_copies):
    mine = tail_with_copies([5, 2, 1], 4)
    assert mine is not None, (
        "tail_with_copies([5, 2, 1], 4) should be 3/4, you return None"
    )
    mistakes = {
        74: "you take all 8 labels for independent; those of copies are equal",
        64: "you count every point once, and in the loss it counts as often as it occurs, or you look at one side only and leave out a deviation of exactly 1/4",
        128: "a deviation of exactly 1/4 counts, too",
        96: "the loss may be too high or too low",
    }
    assert mine * 256 == 192, (
        f"tail_with_copies([5, 2, 1], 4) should be 3/4: 0, 1, 2, 3, 5, 6, 7 or 8 labels are wrong, each with probability 1/8, and only 3 and 5 are not off by 1/4; you return {mine}: {mistakes.get(mine * 256, 'a point adds none or all of its copies')}"
    )

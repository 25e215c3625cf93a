from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../silent_board.ipynb#she-begins-bad-on-purpose'>She begins bad on purpose</a>.",
)
def test_four_blocks(play):
    labels = [1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0]
    sure = [4, 0, 7, 12, 2, 15, 9, 5]
    a, b, c, d = ([1, 3, 6], [8, 10, 11], [13, 14, 16], [17])
    bad = {*sure, 1, 6, 10, *c, 17}
    file = [label ^ (i in bad) for i, label in enumerate(labels)]
    levels, sent = ([], [])

    def submit(new):
        new = [int(label) for label in new]
        pairs = zip(new, labels, strict=True)
        levels.append((8 * sum((x != y for x, y in pairs)) + 18) // 36)
        sent.append([i for i in range(18) if new[i] != file[i]])
        return min(levels)

    mine = play(submit, list(file), list(sure), [a, b, c, d], len(bad), 4)
    assert mine is not None, (
        "play should return a list of zeros and ones, you return None"
    )
    again = "each test starts from `file` again, without the blocks before"
    beyond = "this file stands below the border before the block is flipped: round the border up"
    right = [[], sure[:3] + a, sure + b, sure + c]
    mistakes = [
        {tuple(sure[:3] + a): "`file` itself is sent first"},
        {
            tuple(sure[:4] + a): beyond,
            tuple(
                sure[:2] + a
            ): "one wrong label fewer must move the board, before the block is flipped",
            tuple(
                a
            ): "she has to stand right above a border before she flips",
            tuple(sure[:3]): "the block is flipped, too",
            tuple(
                sure[-3:] + a
            ): "the first positions in `sure` are righted",
        },
        {
            tuple(
                sure[:3] + b
            ): "the board has moved, so the next border is lower",
            tuple(
                sure[:4] + b
            ): "the board has moved, so the next border is lower",
            tuple(
                sure[:7] + b
            ): "one wrong label fewer must move the board, before the block is flipped",
            tuple(sure[:3] + a + b): again,
            tuple(sure + a + b): again,
        },
        {
            tuple(sure + b + c): again,
            tuple(sure + a + c): again,
            tuple(sure + a + b + c): again,
        },
    ]
    for number, (changed, wanted) in enumerate(
        zip(sent, right, strict=False)
    ):
        why = {
            tuple(sorted(positions)): words
            for positions, words in mistakes[number].items()
        }.get(tuple(changed), "")
        assert changed == sorted(wanted), (
            f"file {number + 1} that is sent should differ from `file` at {sorted(wanted)}, yours does at {changed}"
            + (f": {why}" if why else "")
        )
    short = "for the fourth block 12 positions in `sure` would have to be righted, and there are 8"
    assert len(sent) == 4, (
        f"four files should be sent, you send {len(sent)}"
        + (f": {short}" if len(sent) == 5 else "")
    )
    ends = [i for i in range(18) if mine[i] != file[i]]
    why = {
        tuple(sorted(positions)): words
        for positions, words in {
            tuple(a + c): "in the end all of `sure` is righted",
            tuple(sure + b): "a flip is noted if the board moves",
            tuple(sure + b + d): "a flip is noted if the board moves",
            tuple(
                sure + a + b + c
            ): "the board was silent about the second block",
            tuple(sure + a + c + d): "the fourth block was not tested",
        }.items()
    }.get(tuple(ends), "")
    assert ends == sorted(sure + a + c), (
        f"what you return should differ from `file` at {sorted(sure + a + c)}, yours does at {ends}"
        + (f": {why}" if why else "")
    )

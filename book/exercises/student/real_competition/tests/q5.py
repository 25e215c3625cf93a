from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../real_competition.ipynb#bob-pays-for-rounding-ann-does-not'>Bob pays for rounding, Ann does not</a>.",
)
def test_two_ways_to_part(what_if):
    labels = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1]

    def full():

        def submit(file):
            pairs = zip(file, labels, strict=True)
            return sum((int(a) != b for a, b in pairs)) / 10

        return submit

    def ladder():
        level = []

        def submit(file):
            pairs = zip(file, labels, strict=True)
            wrong = sum((int(a) != b for a, b in pairs))
            if not level or wrong < 2 * (level[-1] - 1):
                level.append((wrong + 1) // 2)
            return level[-1] / 5

        return submit

    for start, changes, right, mistakes in [
        (
            [0, 1, 1, 1, 0, 0, 0, 1, 1, 0],
            [[5], [6, 8], [9], [0, 6]],
            (5, 0.2, 0.4),
            {
                (
                    None,
                    0.2,
                    0.2,
                ): "Bob reacts to what he is shown; the files of the log are those of the other board",
                (
                    3,
                    0.6,
                    0.6,
                ): "you keep a file that is shown the same loss again; it must be lower",
                (
                    4,
                    0.6,
                    0.4,
                ): "you compare with the loss that was shown last; it must be lower than ever before",
                (
                    5,
                    0.4,
                    0.4,
                ): "the replay needs a fresh board, and Bob another one",
                (
                    5,
                    0.2,
                    0.2,
                ): "the replay needs a fresh board, and Bob another one",
                (
                    1,
                    0.2,
                    0.4,
                ): "you compare what is shown, and asked is when Bob sends another file",
                (
                    4,
                    0.2,
                    0.4,
                ): "submissions are counted from 1, and what Bob decides at the fourth is seen in the fifth",
                (
                    None,
                    0.4,
                    0.4,
                ): "a change is made to the file that was kept, not to the first one",
                (
                    5,
                    0.4,
                    0.2,
                ): "the replay comes first, then what Bob would be shown",
            },
        ),
        (
            [1, 0, 1, 0, 1, 1, 1, 0, 0, 0],
            [[0], [7, 9], [9], [8, 9]],
            (5, 0.6, 0.4),
            {},
        ),
    ]:
        mine = what_if(
            list(start), [list(c) for c in changes], full, ladder
        )
        assert mine is not None, (
            f"from {start} with the changes {changes} the answer should be {right}; you return None"
        )
        three = isinstance(mine, (tuple, list)) and len(mine) == 3
        assert three, f"the answer has three parts; you return {mine}"
        t, replayed, played = mine
        mine = (t, round(float(replayed), 6), round(float(played), 6))
        known = mistakes.get(mine, "play it by hand")
        assert mine == right, (
            f"labels {labels}, logged: full disclosure, other: the Ladder with steps of 1/5; from {start} with the changes {changes} the answer should be {right}, you return {mine}: {known}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../real_competition.ipynb#a-log-is-not-a-game'>A log is not a game</a>.",
)
def test_eve_climbs(what_if):
    labels = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1]

    def full():

        def submit(file):
            pairs = zip(file, labels, strict=True)
            return sum((int(a) != b for a, b in pairs)) / 10

        return submit

    def ladder():
        level = []

        def submit(file):
            pairs = zip(file, labels, strict=True)
            wrong = sum((int(a) != b for a, b in pairs))
            if not level or wrong < 2 * (level[-1] - 1):
                level.append((wrong + 1) // 2)
            return level[-1] / 5

        return submit

    start = [1, 1, 1, 0, 0, 1, 1, 1, 1, 0]
    flips = [[i] for i in range(10)]
    mine = what_if(
        list(start), [list(flip) for flip in flips], full, ladder
    )
    assert mine is not None, (
        "Eve turns one entry around after the other; you return None"
    )
    three = isinstance(mine, (tuple, list)) and len(mine) == 3
    assert three, f"the answer has three parts; you return {mine}"
    t, replayed, played = mine
    mine = (t, round(float(replayed), 6), round(float(played), 6))
    assert mine == (4, 0.2, 0.6), (
        f"Eve starts with five wrong labels of ten and turns one entry around after the other. On full disclosure she reads all labels, and the replay on the Ladder with steps of 1/5 comes down to 0.2. Had she played on it, she would have been told nothing, and have sent another file from submission 4 on. The answer should be (4, 0.2, 0.6), you return {mine}"
    )

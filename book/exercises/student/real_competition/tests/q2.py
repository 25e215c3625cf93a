from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../real_competition.ipynb#bob-pays-for-rounding-ann-does-not'>Bob pays for rounding, Ann does not</a>.",
)
def test_eleven_files(hidden):
    truth = [40, 38, 38, 39, 38, 37, 36, 34, 35, 35, 33]
    shown = [40, 40, 41, 39, 43, 42, 38, 38, 38, 36, 37]
    right = [(2, 4), (6, 7), (8, 10), (11, None)]
    mine = hidden(list(truth), list(shown))
    assert mine is not None, (
        f"hidden({truth}, {shown}) should be {right}, you return None"
    )
    mistakes = {
        "[(2, 4), (8, 10), (11, None)]": "submission 6 is shown a lower loss than submission 5, but 39 was shown before, so it is no news",
        "[(2, 4), (5, 7), (6, 7), (8, 10), (11, None)]": "submission 5 is better than submission 4, but not than submission 2",
        "[(2, 4), (3, 4), (5, 7), (6, 7), (8, 10), (11, None)]": "submission 3 is as good as submission 2, and an equal loss is no improvement",
        "[(6, 7), (11, None)]": "at 2 and 8 the team is shown the lowest loss again, and that does not tell it anything",
        "[(1, 3), (5, 6), (7, 9), (10, None)]": "submissions are counted from 1",
        "[(2, 2), (6, 1), (8, 2), (11, None)]": "asked is when the team is told, not how long it waits",
        "[(2, 4), (6, 7), (7, 7), (8, 10), (11, None)]": "at 7 the team is told at once: nothing is hidden",
        "[2, 6, 8, 11]": "the answer is a list of pairs",
    }
    assert isinstance(mine, list), (
        f"the answer is a list; you return {mine}"
    )
    if all(isinstance(pair, (tuple, list)) for pair in mine):
        mine = [
            tuple(None if t is None else int(t) for t in pair)
            for pair in mine
        ]
    known = mistakes.get(
        str(mine),
        "the true improvements are 2, 6, 7, 8 and 11, and the team is told at 4, 7 and 10",
    )
    assert mine == right, (
        f"hidden({truth}, {shown}) should be {right}, you return {mine}: {known}"
    )

from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#the-mechanism'>The mechanism</a>.",
)
def test_the_margin(ladder_step):
    for right, level, mistakes, reason in [
        (
            49,
            4,
            {5: "the margin is forgotten: this is the simplified Ladder"},
            "0.49 is better than 0.4 by less than 1/m",
        ),
        (
            50,
            4,
            {
                5: "0.5 is better than 0.4 by exactly 1/m, a tie, and a tie is refused"
            },
            "a tie is refused",
        ),
        (
            51,
            5,
            {
                4: "0.51 is better than 0.4 by more than 1/m, which is all that is asked for"
            },
            "0.51 is accepted, and rounded",
        ),
        (
            30,
            4,
            {3: "the board shows the best so far"},
            "the board shows the best so far",
        ),
    ]:
        mine = ladder_step(4, right, 100, 10)
        assert mine == level, (
            f"with n = 100, m = 10 and level 4 on the board, {right} right labels should show level {level}, you return {mine}: {mistakes.get(mine, reason)}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#the-simplified-ladder'>The simplified Ladder</a>.",
)
def test_a_half(ladder_step):
    for right, level, mistakes in [
        (
            35,
            3,
            {
                4: "a half goes down",
                7: "this is the level of the loss, and the board shows accuracies",
            },
        ),
        (
            45,
            4,
            {
                5: "a half goes down",
                6: "this is the level of the loss, and the board shows accuracies",
            },
        ),
        (46, 5, {4: "0.46 is nearer to 0.5 than to 0.4"}),
    ]:
        mine = ladder_step(None, right, 100, 10)
        why = mistakes.get(mine, "the first submission is accepted")
        assert mine == level, (
            f"with n = 100 and m = 10, {right} right labels in the first submission should show level {level}, you return {mine}: {why}; the loss {(100 - right) / 100} is rounded half up"
        )

from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#a-mechanism-for-each-rank'>A mechanism for each rank</a>.",
)
def test_newcomers(make_board):
    submit, best, told = (make_board([0] * 50, 2), 11, [])
    assert submit is not None, (
        "make_board([0] * 50, 2) should return a function; you return None"
    )
    for account, wrong, level, reason in [
        ("Ann", 34, 7, "both places are free."),
        ("Bob", 31, 6, "one place is free."),
        (
            "Cem",
            16,
            3,
            "nobody was as good before. No account keeps a place for ever.",
        ),
        ("Dan", 21, 4, "only Cem is better."),
        ("Ann", 4, 1, "nobody was as good before."),
    ]:
        shown = submit(account, [1] * wrong + [0] * (50 - wrong))
        assert shown is not None, (
            f"useful: {account} has {wrong} of 50 labels wrong and should be shown {level}/10, but the board shows nothing. There are 2 places, and {reason}"
        )
        guess = ""
        if abs(shown * 50 - wrong) < 1e-09:
            guess = "; this is the exact loss, where a multiple of 1/10 should stand"
        elif abs(shown * 10 - wrong // 5) < 1e-09:
            guess = "; do you round down?"
        elif abs(shown * 10 - best) < 1e-09:
            guess = (
                "; do you repeat what was shown for an earlier submission?"
            )
        assert abs(shown * 10 - level) < 1e-09, (
            f"{account} has {wrong} of 50 labels wrong and should be shown {level}/10, you show {shown}{guess}"
        )
        best = min(best, level)
        told.append(shown)
    shown = submit("Cem", [1] * 44 + [0] * 6)
    guess = "where the board shows nothing, submit should return None"
    if shown in told:
        guess = "do you repeat what was shown for an earlier submission?"
    assert shown is None or abs(shown * 10 - 9) < 1e-09, (
        f"true: Cem was shown 3/10 and now submits a vector with 44 of 50 labels wrong. For this one the board may show 9/10 or nothing, you show {shown}: {guess}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#a-mechanism-for-each-rank'>A mechanism for each rank</a>.",
)
def test_steps_of_a_tenth(make_board):
    for counts, guess in [
        (range(20, -1, -2), "A place has no margin, unlike the Ladder."),
        (
            range(19, 0, -2),
            "Losses half way between two tenths should get different levels, but round() takes 7.5 and 8.5 both to 8, and in floats 0.35 + 0.05 is less than 0.4",
        ),
    ]:
        submit, before = (make_board([0] * 20, 1), "nothing came before")
        assert submit is not None, (
            "make_board([0] * 20, 1) should return a function; you return None"
        )
        for wrong in counts:
            shown = submit("Ann", [1] * wrong + [0] * (20 - wrong))
            assert shown is not None, (
                f"useful: there is 1 place, {wrong} of 20 labels are wrong, and {before}, but the board shows nothing. {guess}"
            )
            assert abs(shown * 20 - wrong) <= 1 + 1e-09, (
                f"true: {wrong} of 20 labels are wrong, and you show {shown}"
            )
            before = f"{wrong}/20, the lowest loss before, is not less than {wrong - 2}/20 + 1/10"


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#a-mechanism-for-each-rank'>A mechanism for each rank</a>.",
)
def test_fresh_accounts(make_board):
    for counts, what, mistakes in [
        (
            range(40, 100),
            "the losses grow from one to the next",
            {
                60: "all of them, as with a Ladder for each account, where a fresh one always gets an answer"
            },
        ),
        (
            [50] * 60,
            "they are one and the same vector",
            {60: "all of them, and a tie must not take a place"},
        ),
        (
            range(99, -1, -1),
            "the losses fall label by label",
            {
                100: "all of them, as if exact losses decided about places, where the rounded ones should",
                97: "does the best one lose its place, where the worst one should?",
            },
        ),
    ]:
        submit, shown = (make_board([0] * 100, 2), 0)
        assert submit is not None, (
            "make_board should return a function; you return None"
        )
        for account, wrong in enumerate(counts):
            vector = [1] * wrong + [0] * (100 - wrong)
            number = submit(account, vector)
            assert number is None or 0 <= number <= 1, (
                f"your board shows {number}; where it shows nothing it should return None"
            )
            shown += number is not None
        assert shown <= 22, (
            f"safe: with 2 places at most 22 submissions may be shown. Of {len(counts)} from fresh accounts, where {what}, your board shows {shown}: {mistakes.get(shown, 'what takes a place?')}"
        )

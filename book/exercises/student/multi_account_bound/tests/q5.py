from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6


@test_case(
    points=None,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#a-mechanism-for-each-rank'>A mechanism for each rank</a>.",
)
def test_newcomers(make_board):
    submit = make_board([0] * 50, 2)
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
            "nobody was as good before. Do the first accounts keep the places for ever?",
        ),
        (
            "Dan",
            21,
            4,
            "only Cem is better. Do you show the best submission only?",
        ),
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
        assert abs(shown * 10 - level) < 1e-09, (
            f"{account} has {wrong} of 50 labels wrong and should be shown {level}/10, you show {shown}{guess}"
        )


@test_case(
    points=None,
    hidden=False,
    failure_message="See <a href='../../../multi_account_bound.ipynb#a-fresh-account-every-time'>A fresh account every time</a>.",
)
def test_fresh_accounts(make_board):
    for counts, what, mistakes in [
        (
            range(40, 100),
            "the losses grow from one to the next",
            {
                60: "has each account a Ladder of its own? A fresh one always gets an answer"
            },
        ),
        (
            [50] * 60,
            "they are one and the same vector",
            {60: "a tie must not take a place"},
        ),
        (
            range(99, -1, -1),
            "the losses fall label by label",
            {
                100: "do exact losses decide about places, where the rounded ones should?",
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

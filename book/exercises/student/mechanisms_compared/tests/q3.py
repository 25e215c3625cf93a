from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../mechanisms_compared.ipynb#what-the-host-does-now'>What the host does now</a>.",
)
def test_five_boards(worth_running):
    boards = {
        "exact": (0.5, 0),
        "rounded": (0.5, 1),
        "ladder": (0.2, 3),
        "places": (0.1, 8),
        "dark": (0, 9),
        "twin": (0.2, 3),
    }
    right = ["dark", "exact", "ladder", "places", "twin"]
    mistakes = {
        "dark exact ladder places rounded twin": "rounded is no better than exact in damage and worse in cost, which is enough",
        "dark exact": "a board need not be best in one of the numbers: ladder costs less than all with less damage",
        "dark exact places": "equal boards do not dominate each other",
        "": "a board does not dominate itself",
    }
    mine = worth_running(dict(boards))
    assert mine is not None, f"it should be {right}, you return None"
    mine = [str(name) for name in mine]
    why = mistakes.get(" ".join(sorted(mine)), "")
    assert mine == right, f"it should be {right}, you return {mine}" + (
        f": {why}" if why else ""
    )

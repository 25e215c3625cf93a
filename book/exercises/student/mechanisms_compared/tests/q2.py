from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../mechanisms_compared.ipynb#the-ladder-sells-fewer-tickets'>The Ladder sells fewer tickets</a>.",
)
def test_two_boards(worst):
    found = [
        ("ladder", "luck", 1, 0.02),
        ("ladder", "messages", 5000, 0.5),
        ("ladder", "blocks", 1, -0.01),
        ("ranks", "yardsticks", 34, 0.45),
        ("ranks", "messages", 5000, 0.5),
        ("places", "votes", 1, -0.004),
        ("places", "luck", 1, -0.006),
    ]
    for limit, right, mistakes in [
        (
            1,
            {"ladder": "luck", "places": "votes"},
            {
                "places": "the worst attack must be looked for among those that are allowed, or a board seems to have none",
                "ladder": "damage below nothing can be the worst there is",
                "ladder places ranks": "attacks with more than one account are not allowed at limit 1",
            },
        ),
        (
            100,
            {"ladder": "luck", "places": "votes", "ranks": "yardsticks"},
            {
                "places": "the worst attack must be looked for among those that are allowed, or a board seems to have none",
                "ladder ranks": "damage below nothing can be the worst there is",
            },
        ),
    ]:
        mine = worst(list(found), limit)
        assert mine is not None, (
            f"with limit {limit} it should be {right}, you return None"
        )
        why = (
            mistakes.get(" ".join(sorted(mine)), "")
            if mine != right
            else ""
        )
        assert dict(mine) == right, (
            f"with limit {limit} it should be {right}, you return {mine}"
            + (f": {why}" if why else "")
        )

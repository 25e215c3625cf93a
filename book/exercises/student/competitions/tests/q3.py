from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../competitions.ipynb#a-board-has-to-get-the-best-result-right-at-all-times'>A board has to get the best result right, at all times</a>.",
)
def test_three_labels(changes):
    cases = [
        (
            [((0, 0, 0), 1 / 3), ((1, 1, 1), 2 / 3), ((1, 0, 0), 0.0)],
            0,
            {},
            "the labels 100 explain all three losses",
        ),
        (
            [((0, 0, 0), 1 / 3), ((0, 0, 0), 2 / 3), ((0, 0, 0), 1 / 3)],
            2,
            {},
            "the same vector has two losses in turn, so the labels change and change again",
        ),
        (
            [
                ((0, 1, 0), 1 / 3),
                ((1, 1, 1), 1 / 3),
                ((0, 0, 1), 1 / 3),
                ((1, 0, 0), 1 / 3),
            ],
            1,
            {
                0: "every pair of these losses is explained by some labels, but all four together are not"
            },
            "no labels explain all four losses",
        ),
        (
            [((0, 0, 0), 1 / 3), ((0, 1, 0), 0.5)],
            None,
            {},
            "with three labels a loss cannot be 1/2",
        ),
    ]
    found = [changes(transcript) for transcript, *_ in cases]
    for mine, (transcript, value, mistakes, reason) in zip(
        found, cases, strict=True
    ):
        if found[:3] == [1, 3, 2]:
            reason = (
                "you count label vectors; asked is how often they change"
            )
        assert mine == value, (
            f"changes({transcript}) should be {value}: {mistakes.get(mine, reason)}; you return {mine}"
        )

from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../competitions.ipynb#a-board-has-to-get-the-best-result-right-at-all-times'>A board has to get the best result right, at all times</a>.",
)
def test_two_participants(make_contest):
    import numpy as np

    state = [20150705]

    def draw(bound):
        state[0] = (
            6364136223846793005 * state[0] + 1442695040888963407
        ) % 2**64
        return (state[0] >> 33) % bound

    labels = [draw(2) for _ in range(1000)]
    places = list(range(1000))
    for i in range(999, 0, -1):
        j = draw(i + 1)
        places[i], places[j] = (places[j], places[i])

    def model(wrong, first):
        vector = list(labels)
        for place in (places + places)[first : first + wrong]:
            vector[place] ^= 1
        return vector

    def play(trials):
        contest = make_contest(list(labels), np.random.default_rng(1))
        assert contest is not None, (
            "make_contest should return the functions submit and finish; you return None"
        )
        submit, finish = contest
        for account, wrong, first in trials:
            shown = float(submit(account, model(wrong, first)))
            assert abs(shown - wrong / 1000) <= 0.1, (
                f"{account} submits an honest model with a true risk of {wrong / 1000}, and you show {shown}, which is more than 1/10 away"
            )
        return finish()

    trials = [
        ("Ann", 440, 0),
        ("Bob", 360, 500),
        ("Ann", 220, 0),
        ("Ann", 480, 300),
    ]
    winner, loss = play(trials)
    why = ""
    if winner == "Bob" and play(trials[:3])[0] == "Ann":
        why = ": without her worse trial at the end she wins, so it replaces a better one"
    assert winner == "Ann", (
        f"Ann's risks are .44, .22 and .48, in this order, and Bob's is .36. Ann should win, and you return {winner}{why}"
    )
    assert abs(loss - 0.22) <= 0.1, (
        f"the smallest true risk is 0.22, and you return {loss}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../competitions.ipynb#sealed-labels-save-the-winner-not-the-board'>Sealed labels save the winner, not the board</a>.",
)
def test_eve_reads_the_board(make_contest):
    import numpy as np

    state = [20150706]

    def draw(bound):
        state[0] = (
            6364136223846793005 * state[0] + 1442695040888963407
        ) % 2**64
        return (state[0] >> 33) % bound

    labels = [draw(2) for _ in range(1000)]
    bob = [label ^ int(draw(10) < 3) for label in labels]
    risk = sum((a != b for a, b in zip(bob, labels, strict=True))) / 1000
    contest = make_contest(list(labels), np.random.default_rng(2))
    assert contest is not None, (
        "make_contest should return the functions submit and finish; you return None"
    )
    submit, finish = contest
    submit("Bob", bob)
    base = [draw(2) for _ in range(1000)]
    start = float(submit("Eve", list(base)))
    final = []
    for i in range(1000):
        trial = list(base)
        trial[i] ^= 1
        final.append(trial[i] if submit("Eve", trial) < start else base[i])
    shown = float(submit("Eve", final))
    winner, loss = finish()
    assert winner in ("Bob", "Eve"), (
        f"finish should return a pair, the winner and a loss; the winner is Bob or Eve, and you return {winner}"
    )
    why = ""
    if winner == "Eve" and loss < 0.4:
        why = f": you return {loss} for her, and her true risk is about 1/2 unless the labels that decide were used for an answer"
    assert winner == "Bob", (
        f"Eve, who knows nothing, flips one label at a time, keeps what lowers the loss and is shown {shown:.3f} in the end. She must not win{why}"
    )
    assert abs(loss - risk) <= 0.1, (
        f"Bob wins with a true risk of {risk}, and you return {loss}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../competitions.ipynb#the-board-is-honest-about-a-file-that-never-met-it'>The board is honest about a file that never met it</a>.",
)
def test_a_sorted_file(make_contest):
    import numpy as np

    for first in (0, 600):
        state = 20150707
        labels = []
        for _ in range(1000):
            state = (
                6364136223846793005 * state + 1442695040888963407
            ) % 2**64
            labels.append(state >> 63)
        vector = [
            label ^ int(first <= i < first + 400)
            for i, label in enumerate(labels)
        ]
        contest = make_contest(list(labels), np.random.default_rng(3))
        assert contest is not None, (
            "make_contest should return the functions submit and finish; you return None"
        )
        submit, finish = contest
        shown = float(submit("Ann", vector))
        _, loss = finish()
        why = "a part that is drawn at random, and is not very small, is as good as the whole"
        if abs(shown + loss - 0.8) < 0.05 and abs(shown - loss) > 0.3:
            why = "a half of a sorted file is taken as it stands, and not drawn at random"
        gaps = (abs(shown - 0.4), abs(loss - 0.4))
        assert all(gap <= 0.1 for gap in gaps), (
            f"a model is wrong on the labels {first} to {first + 399} only, so its true risk is 0.4; you show {shown} and return {loss} in the end: {why}"
        )

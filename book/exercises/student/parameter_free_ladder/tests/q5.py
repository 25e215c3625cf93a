from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../parameter_free_ladder.ipynb#why-no-guarantee-can-hold'>Why no guarantee can hold</a>.",
)
def test_pairs(make_board):
    state = [20150601]

    def draw(bound):
        state[0] = (
            6364136223846793005 * state[0] + 1442695040888963407
        ) % 2**64
        return (state[0] >> 33) % bound

    def coins():
        words = [f"{draw(2**20):020b}" for _ in range(50)]
        return [int(label) for word in words for label in word]

    submit, vector = (make_board(coins()), coins())
    assert submit is not None, (
        "make_board should return a function; you return None"
    )
    shown = submit(list(vector))
    assert shown is not None, "submit should return a number, not None"
    lower = 0
    for _ in range(600):
        trial = list(vector)
        i = draw(1000)
        for place in (i, (i + 1 + draw(999)) % 1000):
            trial[place] ^= 1
        answer = float(submit(trial))
        if answer < shown:
            vector, shown, lower = (trial, answer, lower + 1)
    mistake = "what step does it let through?"
    if lower > 50:
        mistake = f"it let {lower} steps of two labels through, as the parameter-free Ladder does and a board that shows exact losses"
    assert abs(shown - 0.5) <= 0.1 + 1e-09, (
        f"600 flipped pairs, made without the labels, bring your board to {shown}, and every true risk is 0.5: {mistake}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../ladder.ipynb#what-an-honest-participant-pays'>What an honest participant pays</a>.",
)
def test_three_models(make_board):
    labels = [i * i % 7 % 2 for i in range(1000)]
    submit = make_board(list(labels))
    assert submit is not None, (
        "make_board should return a function; you return None"
    )
    for i in range(200):
        before = submit([(i * j + j // 3) % 2 for j in range(1000)])
        assert before is not None, "submit should return a number, not None"
    for wrong, best in [(380, 0.38), (200, 0.2), (450, 0.2)]:
        model = [label ^ int(i < wrong) for i, label in enumerate(labels)]
        shown = float(submit(model))
        reason = "it should be within 1/10 of the best so far"
        if shown == before:
            reason = "it has not moved, and a model that comes late, and is not much better, counts as well"
        elif wrong == 450 and abs(shown - 0.45) <= 0.1 and (before < 0.31):
            reason = "do you forget the best one when a worse one comes?"
        assert abs(shown - best) <= 0.1 + 1e-09, (
            f"a model with a true risk of {wrong / 1000} comes, the best so far has {best}, and your board shows {shown}, after {float(before)}: {reason}"
        )
        before = shown

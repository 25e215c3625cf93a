from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6


@test_case(points=None, hidden=False)
def test_pairs_and_one_model(make_board):
    state = [20150601]

    def draw(bound):
        state[0] = (
            6364136223846793005 * state[0] + 1442695040888963407
        ) % 2**64
        return (state[0] >> 33) % bound

    def coins():
        words = [f"{draw(2**20):020b}" for _ in range(50)]
        return [int(label) for word in words for label in word]

    labels = coins()
    submit, vector = (make_board(list(labels)), coins())
    shown = float(submit(list(vector)))
    for _ in range(600):
        trial = list(vector)
        i = draw(1000)
        for place in (i, (i + 1 + draw(999)) % 1000):
            trial[place] ^= 1
        answer = float(submit(trial))
        if answer < shown:
            vector, shown = (trial, answer)
    assert abs(shown - 0.5) <= 0.1 + 1e-09, (
        f"600 flipped pairs, made without the labels, bring your board to {shown}, and every true risk is 0.5: what step does it let through?"
    )
    model = [label ^ int(i % 5 == 0) for i, label in enumerate(labels)]
    shown = float(submit(model))
    assert abs(shown - 0.2) <= 0.1 + 1e-09, (
        f"then a model with a true risk of 0.2 comes, and your board shows {shown}"
    )

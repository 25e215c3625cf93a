from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../hoeffding_union_bound.ipynb#a-thousand-files-cost-only-a-logarithm'>A thousand files cost only a logarithm</a>.",
)
def test_two_batches(make_board):
    state, labels = (20150802, [])
    for _ in range(1000):
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        labels.append(state >> 63)
    submit = make_board(list(labels), 2)
    assert submit is not None, (
        "make_board should return a function, you return None"
    )
    for wrong in ([450, 300], [100, 250, 400]):
        models = []
        for count in wrong:
            model, left = (list(labels), count)
            for i in range(1000):
                state = (
                    6364136223846793005 * state + 1442695040888963407
                ) % 2**64
                if (state >> 33) % (1000 - i) < left:
                    model[i] ^= 1
                    left -= 1
            models.append(model)
        answer = submit(models)
        assert answer is not None, "the first two batches must be answered"
        assert len(answer) == len(wrong), (
            f"a batch of {len(wrong)} vectors gets as many numbers, you return {len(answer)}"
        )
        for shown, count in zip(answer, wrong, strict=True):
            assert abs(shown - count / 1000) <= 0.1184, (
                f"an honest model has a true risk of {count / 1000}, and you release {shown}, which is not within sqrt(14/1000)"
            )
    assert submit([list(labels)]) is None, (
        "after two batches the labels are used up, and the answer is None"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../hoeffding_union_bound.ipynb#eve-broke-one-word-fixed'>Eve broke one word: fixed</a>.",
)
def test_one_adaptive_vector(make_board):
    state = [20150803]

    def coins():
        bits = ""
        for _ in range(40):
            state[0] = (
                6364136223846793005 * state[0] + 1442695040888963407
            ) % 2**64
            bits += f"{state[0] >> 39:025b}"
        return list(map(int, bits))

    submit = make_board(coins(), 2)
    assert submit is not None, (
        "make_board should return a function, you return None"
    )
    batch, tally = ([coins() for _ in range(300)], [0.0] * 1000)
    for vector, shown in zip(batch, submit(batch), strict=True):
        votes = (shown - 0.5, 0.5 - shown)
        pairs = zip(tally, vector, strict=True)
        tally = [total + votes[label] for total, label in pairs]
    vote = [int(total > 0) for total in tally]
    shown, other = submit([vote, coins()])
    why = ""
    if shown < 0.5 - 0.1184 and abs(other - 0.5) <= 0.1184:
        why = f", and {other} for a random vector beside it: the labels of the first round are used again"
    assert abs(shown - 0.5) <= 0.1184, (
        f"a vote of 300 random vectors, weighted by their losses, has a true risk of 1/2, and in the second round you release {shown}{why}"
    )

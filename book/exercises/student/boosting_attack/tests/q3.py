from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#a-thousand-coin-files-read-the-board'>A thousand coin files read the board</a>.",
)
def test_form(attack):
    import numpy as np

    seen = []

    def submit(submission):
        seen.append([int(label) for label in submission])
        assert len(seen[-1]) == 7, (
            f"a submission should have n = 7 labels, yours has {len(seen[-1])}"
        )
        pairs = zip(seen[-1], (0, 1, 0, 0, 1, 0, 0), strict=True)
        return sum((a != b for a, b in pairs)) / 7

    final = attack(submit, 7, 20, np.random.default_rng(1))
    assert final is not None, (
        "attack should return a vector of n zeros and ones, it returns None"
    )
    final = [int(label) for label in final]
    assert seen, "the attack makes no submission"
    mistakes = {
        21: "the submission that counts the ones is one of the k, and the final vector is returned and not submitted",
        19: "one to count the ones, and k - 1 = 19 that are random",
    }
    assert len(seen) == 20, (
        f"the attack should make exactly k = 20 submissions, it makes {len(seen)}: {mistakes.get(len(seen), 'k counts all of them')}"
    )
    assert len(final) == 7, (
        f"the final vector should have n = 7 labels, yours has {len(final)}"
    )
    used = {label for vector in [*seen, final] for label in vector}
    why = ""
    if used <= {-1, 0, 1}:
        why = ": votes for and against are counted as +1 and -1, labels are not"
    assert used <= {0, 1}, (
        f"labels are 0 or 1, yours are {sorted(used)}{why}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../boosting_attack.ipynb#with-one-bit-an-answer-the-gain-is-a-square-root'>With one bit an answer, the gain is a square root</a>.",
)
def test_eighty_boards(attack):
    import numpy as np

    n, k, ones, boards = (200, 51, 60, 80)
    shares, said, sums = ([], [], [])
    for board in range(boards):
        labels = ((7 * np.arange(n) + board) % n < ones).astype(int)
        seen, weights = ([], [])

        def submit(submission, labels=labels, seen=seen, weights=weights):
            seen.append(np.array(submission, dtype=int))
            assert seen[-1].shape == (n,), (
                f"a submission should have n = {n} labels, yours has the shape {seen[-1].shape}"
            )
            wrong = np.count_nonzero(seen[-1] != labels)
            weights.append(n - 2 * wrong)
            return wrong / n

        final = attack(submit, n, k, np.random.default_rng(board))
        assert final is not None, (
            "attack should return a vector of n zeros and ones, it returns None"
        )
        assert len(seen) == k, (
            f"the attack should make exactly k = {k} submissions, it makes {len(seen)}"
        )
        final = np.array(final, dtype=int)
        assert final.shape == (n,), (
            f"the final vector should have n = {n} labels, yours has the shape {final.shape}"
        )
        shares.append(float(np.mean(final == labels)))
        said += final.tolist()
        votes = np.array(seen)
        mixed = (votes.sum(axis=1) % n != 0)[:, np.newaxis]
        sums += (weights @ (mixed * (2 * votes - 1))).tolist()
    assert set(said) <= {0, 1}, "labels are 0 or 1"
    mean = sum(shares) / boards
    squares = sum((share - mean) ** 2 for share in shares)
    error = (squares / (boards - 1) / boards) ** 0.5
    pairs = list(zip(sums, said, strict=True))
    highest = max((x for x, label in pairs if not label), default=-(10**9))
    lowest = min((x for x, label in pairs if label), default=10**9)
    named = sum(said) / len(said)
    why = "labels with larger weighted sums are called 0, and such with smaller ones 1, on boards that all have the same share of ones. Is the weight n - 2c, and does your threshold depend on n and on the share of ones alone?"
    if named in (0, 1):
        why = "your final vectors are constant. The votes tell more: some sums are so large that 1 is more probable, though ones are rare"
    elif mean < 0.4:
        why = "your votes are turned around. A loss below 1/2 speaks for the labels of the submission"
    elif highest <= lowest and highest <= 0 <= lowest:
        why = "you say 1 where the weighted sum is above 0. This ignores the share of ones: where ones are rare a small sum above 0 is more often a zero that was lucky"
    elif highest <= lowest <= 0:
        why = "you say 1 also where the weighted sum is below 0. Ones are rare here, so your threshold has the wrong sign: it takes more, and not less, to call a label 1"
    elif highest <= lowest:
        why = f"your threshold has the right sign and is too {('high' if named < 0.17 else 'low')}: you call {named:.2f} of the labels 1, and with the best threshold it is 0.17"
    assert mean >= 0.747277 - 4 * error, (
        f"on 80 boards of 200 labels, 60 of them 1, with 51 submissions, {mean:.3f} of the labels are right on average. 0.747 is expected with a standard error of {error:.4f}; 0.7 of the labels are 0, and the sign of the weighted sum is right on 0.692: {why}"
    )

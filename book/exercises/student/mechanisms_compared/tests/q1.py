from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 2
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../mechanisms_compared.ipynb#n-stories-are-n-lottery-tickets'>N stories are N lottery tickets</a>.",
)
def test_small_boards(recovered):
    for right, n, known, value, mistakes in [
        (
            75,
            100,
            0.5,
            0.5,
            {
                0.75: "that is the share of right labels, guesses included",
                0.25: "a quarter of all labels, but half of those that she could not know",
            },
        ),
        (
            85,
            100,
            0.7,
            0.5,
            {
                0.7: "with a classifier more than one half is known at first",
                0.15: "fifteen more are right, of the thirty that were left",
                0.85: "that is the share of right labels, guesses included",
            },
        ),
        (
            60,
            100,
            0.7,
            -1 / 3,
            {
                0.2: "with a classifier more than one half is known at first",
                -0.1: "ten fewer are right, of the thirty that were left",
                0: "an attack can leave her worse off, which counts as less than nothing",
                0.6: "that is the share of right labels, guesses included",
            },
        ),
    ]:
        mine = recovered(right, n, known)
        assert mine is not None, (
            f"recovered({right}, {n}, {known}) should be {value:.4f}, you return None"
        )
        why = [
            words
            for wrong, words in mistakes.items()
            if abs(mine - wrong) < 1e-09
        ]
        assert abs(mine - value) < 1e-09, (
            f"recovered({right}, {n}, {known}) should be {value:.4f}, you return {mine}"
            + "".join(f": {words}" for words in why)
        )

from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../freedman_attack.ipynb#the-attack'>The attack</a>.",
)
def test_four_people(accepted):
    import numpy as np

    for losses, c, value, reason, mistakes in [
        (
            [
                [2, 4, 1, 4],
                [0, 4, 1, 2],
                [2, 0, 2, 1],
                [1, 0, 1, 0],
                [0, 4, 1, 2],
                [1, 2, 2, 2],
                [1, 0, 1, 2],
            ],
            1.5,
            [0, 1],
            "only row 1 is better than the last accepted row by more than 1.5 standard errors",
            {
                (
                    0,
                    1,
                    3,
                    6,
                ): "you compare with the row before, and the last accepted row is meant",
                (
                    0,
                    1,
                    3,
                    4,
                    6,
                ): "you compare with the first row, and the last accepted row is meant",
                (
                    0,
                ): "the standard error is s divided by the square root of n",
                (
                    0,
                    1,
                    3,
                ): "you divide s by n, and by its square root is meant",
                (
                    0,
                    2,
                ): "you take the losses of the two rows for independent; s is that of their differences",
                (
                    0,
                    2,
                    3,
                ): "you take s from the losses of one row; s is that of the differences",
                (
                    0,
                    1,
                    4,
                ): "row 4 has the same losses as row 1, and a tie is refused",
                (
                    0,
                    1,
                    2,
                    3,
                ): "you accept every smaller mean, whatever c is",
                (1,): "the first row is always accepted",
            },
        ),
        (
            [[2, 2, 2, 2], [1, 2, 2, 2]],
            1.1,
            [0],
            "the mean is 1/4, s is 1/2, and so the mean is one standard error",
            {
                (
                    0,
                    1,
                ): "do you divide the squared deviations by n, where n - 1 should stand?"
            },
        ),
        (
            [[1, 2, 3], [3, 2, 1], [1, 2, 3], [1, 1, 3]],
            0,
            [0, 3],
            "with c = 0 every smaller mean is accepted and no equal one",
            {(0, 1, 2, 3): "a tie is refused", (0,): "row 3 is better"},
        ),
    ]:
        mine = accepted(np.array(losses, dtype=float), c)
        assert mine is not None, (
            f"accepted({losses}, {c}) should be {value}; you return None"
        )
        mine = [int(row) for row in mine]
        assert mine == value, (
            f"accepted({losses}, {c}) should be {value}, you return {mine}: {mistakes.get(tuple(mine), reason)}"
        )

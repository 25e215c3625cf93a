from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../freedman_attack.ipynb#the-last-change-is-enough'>The last change is enough</a>.",
)
def test_scripted_boards(step_forward):
    import numpy as np

    u, v, w = ([1, -1, 1, -1], [1, 1, -1, -1], [2, -2, 0, 0])
    x = [list(row) for row in zip(u, v, w, strict=True)]
    y = [3, 1, -1, -3]
    z = [[1, 10, 100], [2, 20, 300]]
    for script, iterations, value, count, reason, mistakes in [
        (
            [1.0, 0.75, 0.75, 0.75, 0.5, 0.5],
            3,
            [1, 2],
            6,
            "the first iteration changes last at feature 1, the second at feature 2, the third does not",
            {
                (
                    1,
                    2,
                    0,
                ): "the third iteration has no change, as the board showed 0.5 before; then the attack ends",
                (
                    1,
                    1,
                ): "in the second iteration features 0 and 2 are submitted, so the second of these submissions is feature 2",
                (
                    1,
                    1,
                    0,
                ): "in the second iteration features 0 and 2 are submitted, so the second of these submissions is feature 2",
                (
                    0,
                    2,
                ): "you take the first change, and the last one is meant",
                (
                    1,
                ): "in the second iteration the submissions are those of features 0 and 2, and the second changes the release; is feature 1 submitted again?",
            },
        ),
        (
            [1.0, 0.75, 0.75],
            1,
            [1],
            3,
            "one iteration submits each feature once",
            {},
        ),
        (
            [1.0],
            3,
            [0],
            5,
            "the very first release is a change, and there is no other",
            {
                (): "the very first release is a change",
                (
                    0,
                    1,
                    2,
                ): "after the first iteration nothing changes any more, and then the attack ends",
                (2,): "the last change is asked for, not the last release",
            },
        ),
        (
            [1.0, 1.0, 1.0, 0.5, 0.5, 0.5],
            3,
            [0, 1],
            6,
            "the first release of the second iteration differs from the last one before, so it is a change",
            {
                (
                    0,
                ): "the first release of the second iteration differs from the last one before, so it is a change"
            },
        ),
    ]:
        made = []

        def submit(predictions, made=made, script=script):
            made.append([float(p) for p in predictions])
            return script[min(len(made), len(script)) - 1]

        arrays = [np.array(part, dtype=float) for part in (x, y, z)]
        mine = step_forward(submit, *arrays, iterations)
        assert mine is not None, (
            f"step_forward should return {value} on a board that shows {script}; you return None"
        )
        mine = [int(j) for j in mine]
        assert len(made) <= 6 or tuple(mine) in mistakes, (
            f"three features allow 3 + 2 + 1 submissions, you make {len(made)}: neither selected features are submitted again, nor models of one feature, nor the result"
        )
        assert mine == value, (
            f"on a board that shows {script} and then the same for ever you select {mine}, and it should be {value}: {mistakes.get(tuple(mine), reason)}"
        )
        assert len(made) == count, (
            f"on a board that shows {script} there should be {count} submissions, you make {len(made)}: each iteration submits every feature that is not selected, once"
        )
        expected = [[1, 2], [20, 40], [50, 150]]
        if value == [1, 2]:
            expected += [[21, 42], [70, 190], [21, 42]]
        for t, right in enumerate(expected):
            pairs = zip(made[t], right, strict=True)
            assert all((abs(a - b) < 1e-09 for a, b in pairs)), (
                f"submission {t} on a board that shows {script} should be {right}, you submit {made[t]}: it is one regression on the selected features and the next one that is left, fitted together"
            )

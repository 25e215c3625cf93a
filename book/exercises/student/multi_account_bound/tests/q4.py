from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 6


@test_case(points=None, hidden=False)
def test_seven_labels(attack):
    labels = [1, 0, 0, 1, 1, 0, 1]
    level, submitted = ({}, [])

    def submit(account, vector):
        submitted.append([int(label) for label in vector])
        wrong = sum(
            (a != b for a, b in zip(submitted[-1], labels, strict=True))
        )
        new = 1 if 2 * wrong >= 7 else 0
        level[account] = min(level.get(account, 1), new)
        return float(level[account])

    final = [int(label) for label in attack(submit, 7)]
    assert {label for vector in submitted for label in vector} <= {0, 1}, (
        "a submission is a vector of zeros and ones"
    )
    assert final == labels, (
        f"with m = 1 a fresh account releases 1 if at least half of the labels are wrong, else 0; you find {final} in place of {labels}"
    )
    assert len(submitted) <= 27, (
        f"at most n + 20 submissions are allowed, you make {len(submitted)}"
    )

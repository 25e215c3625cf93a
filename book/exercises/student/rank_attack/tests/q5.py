from otter.test_files import test_case

OK_FORMAT = False

name = "q5"
points = 6


@test_case(points=None, hidden=False)
def test_eight_labels(find_all):
    import numpy as np

    labels, start = ([1, 0, 0, 1, 1, 0, 1, 0], [1, 0, 0, 1, 0, 1, 1, 0])
    reached, made = ({"ann": (1, -1), "bob": (2, 0)}, [])

    def submit(account, vector):
        made.append([int(label) for label in vector])
        wrong = sum((a != b for a, b in zip(made[-1], labels, strict=True)))
        entry = ((2 * wrong * 3 + 8) // 16, len(made))
        reached[account] = min(reached.get(account, entry), entry)
        mine = reached[account]
        return sum(other <= mine for other in reached.values())

    found = [int(label) for label in find_all(submit, np.array(start))]
    assert {label for vector in made for label in vector} <= {0, 1}, (
        "a submission is a vector of zeros and ones"
    )
    assert found == labels, (
        f"with m = 3 and two other accounts on the board you find {found} in place of {labels}: each account that passes pushes the others back"
    )
    assert len(made) <= 24, (
        f"at most n + 2 log2(n) + 10 = 24 submissions are allowed, you make {len(made)}"
    )

from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5


@test_case(points=None, hidden=False)
def test_four_labels(learn):
    labels, seen = ((0, 1, 1, 0), [])

    def submit(submission):
        vector = [int(label) for label in submission]
        assert len(vector) == 4, "a submission has n = 4 labels"
        wrong = sum((a != b for a, b in zip(vector, labels, strict=True)))
        seen.append(min([wrong, *seen[-1:]]))
        return seen[-1] / 4

    found = [int(label) for label in learn(submit, 4)]
    assert len(seen) <= 4, (
        f"at most n = 4 submissions are allowed, you made {len(seen)}: what does the last release tell?"
    )
    assert found == [0, 1, 1, 0], (
        f"the labels are 0, 1, 1, 0: a change that lowers the release was right; you return {found}"
    )

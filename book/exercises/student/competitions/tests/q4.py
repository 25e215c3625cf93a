from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../competitions.ipynb#the-board-is-honest-about-a-file-that-never-met-it'>The board is honest about a file that never met it</a>.",
)
def test_eight_labels(read_labels):
    labels, made = ([1, 0, 0, 1, 0, 1, 1, 0], [])

    def submit(vector):
        made.append([int(label) for label in vector])
        return (
            sum((a != b for a, b in zip(made[-1], labels, strict=True))) / 8
        )

    found = read_labels(submit, 8)
    assert found is not None, (
        "read_labels(submit, 8) should return 8 labels; you return None"
    )
    assert {label for vector in made for label in vector} <= {0, 1}, (
        "a submission is a vector of zeros and ones"
    )
    found = [int(label) for label in found]
    assert found == labels, (
        f"the labels are {labels}: a right one lowers the loss by 1/8 and a wrong one raises it by as much; you return {found}"
    )
    mistakes = {
        (1,): "you read one label at a time",
        (
            1,
            2,
        ): "a pair of labels that differ takes two submissions, and here all pairs differ",
    }
    sizes = tuple(sorted({sum(vector) for vector in made[1:]}))
    assert len(made) <= 7, (
        f"8 labels must be read with at most 7 submissions, you make {len(made)}: {mistakes.get(sizes, 'three submissions must tell four labels')}"
    )

from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../mechanisms_compared.ipynb#n-stories-are-n-lottery-tickets'>N stories are N lottery tickets</a>.",
)
def test_few_levels(on_the_list):
    for levels, files, right, mistakes in [
        (
            3,
            3,
            10,
            {
                6: "that is the third file alone, and the first two are on the list, too",
                13: "what is shown never goes up",
                9: "what is shown may fall by several steps",
                7: "what is shown may stay as it is",
                20: "the answer to the last file comes too late for these files",
                19: "the first file is on the list, too, and the answer to the last one comes too late",
            },
        ),
        (
            4,
            3,
            15,
            {
                10: "that is the third file alone, and the first two are on the list, too",
                21: "what is shown never goes up",
                12: "what is shown may fall by several steps",
                11: "what is shown may stay as it is",
                35: "the answer to the last file comes too late for these files",
                14: "the first file is on the list, too",
            },
        ),
    ]:
        mine = on_the_list(levels, files)
        why = mistakes.get(mine, "")
        assert mine == right, (
            f"on_the_list({levels}, {files}) should be {right}, you return {mine}"
            + (f": {why}" if why else "")
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../mechanisms_compared.ipynb#n-stories-are-n-lottery-tickets'>N stories are N lottery tickets</a>.",
)
def test_hundredths(on_the_list):
    right = 5834104414094383310520
    mine = on_the_list(101, 20)
    assert mine is not None, (
        f"on_the_list(101, 20) should be {right}, you return None"
    )
    rounded = abs(mine / right - 1) < 1e-09 and int(float(mine)) == mine
    assert mine == right, (
        f"on_the_list(101, 20) should be {right}, you return {mine}"
        + (": a float holds sixteen digits" if rounded else "")
    )

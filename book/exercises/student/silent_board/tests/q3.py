from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../silent_board.ipynb#she-begins-bad-on-purpose'>She begins bad on purpose</a>.",
)
def test_sixteen_labels(border_files):
    for n, border, right, mistakes in [
        (
            16,
            11,
            22,
            {
                21: "one is missing: the file at the start and the mark are sent, too",
                20: "two are missing: the file at the start and the mark are sent, too",
                6: "each label is tested, with a file of its own",
            },
        ),
        (
            6,
            1,
            10,
            {
                11: "the bisection ends as soon as the two numbers differ by one, which can be before the logarithm, rounded up, is reached",
                9: "one is missing: the file at the start and the mark are sent, too",
                8: "two are missing: the file at the start and the mark are sent, too",
            },
        ),
    ]:
        mine = border_files(n, lambda j, b=border: j >= b)
        assert mine is not None, (
            f"n = {n}, border at {border}: it should be {right}, you return None"
        )
        why = mistakes.get(mine, "")
        assert mine == right, (
            f"n = {n}, border at {border}: it should be {right}, you return {mine}"
            + (f": {why}" if why else "")
        )

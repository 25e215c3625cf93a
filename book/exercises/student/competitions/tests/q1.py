from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 3
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../competitions.ipynb#a-board-has-to-get-the-best-result-right-at-all-times'>A board has to get the best result right, at all times</a>.",
)
def test_four_submissions(board_error):
    mine = board_error([8, 3, 4, 11], 20, [12, 18, 24, 8], 40)
    assert mine is not None, (
        "board_error([8, 3, 4, 11], 20, [12, 18, 24, 8], 40) should be the pair (3/20, 2); you return None"
    )
    pair = isinstance(mine, (tuple, list)) and len(mine) == 2
    assert pair, (
        f"the answer is a pair, the error and a time; you return {mine}"
    )
    error, t = mine
    mistakes = {
        8: "you compare with the smallest of all true risks; at time t only the first t submissions count",
        14: "you compare each loss with the best true risk, but the board shows the smallest loss so far",
        18: "you compare with the true risk of submission t, not with the smallest so far",
        16: "you compare the loss of submission t with its own true risk; both sides of the definition are minima",
        12: "you compare with the true risk of the leader; the smallest true risk may belong to another submission",
        4: "you take the gap only where the board is too high; it may be too low as well",
        2: "you take the gap at the end; the definition takes the largest one at any time",
        4.5: "you take the mean of the gaps; the definition takes the largest one",
    }
    assert error * 40 == 6, (
        f"the board shows 8/20, 3/20, 3/20, 3/20 and the best true risks are 12/40, 12/40, 12/40, 8/40, so the error is 3/20; you return {error}: {mistakes.get(error * 40, 'the gaps are 4/40, 6/40, 6/40 and 2/40')}"
    )
    times = {
        1: "count the submissions from 1",
        3: "of several times with the same gap take the first",
    }
    assert t == 2, (
        f"the gap of 3/20 occurs first at t = 2; you return {t}: {times.get(t, 'it lasts from t = 2 to t = 3')}"
    )

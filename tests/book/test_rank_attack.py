"""What the chapter on ranks says of its attack."""

import re

import numpy as np
from chapters import HTML, parsed


def test_how_many_days_two_accounts_take():
    """Five files a day each: the account that failed sends again, so its five are used up before the other's."""

    def days_of(right):  # whether a flip is right, and so passes
        leader, chaser, left, days = 0, 1, [4, 5], 1
        for passes in right:
            if not left[chaser]:
                left, days = [5, 5], days + 1
            left[chaser] -= 1
            if passes:
                leader, chaser = chaser, leader
        return days

    found = [days_of(np.random.default_rng(seed).random(4000) < 0.5) for seed in range(40)]
    page = " ".join(parsed(HTML / "book" / "rank_attack.html").text.replace("\xa0", " ").split())
    (said,) = re.findall(r"4,000 labels take Eve (\d+) days", page)
    assert abs(int(said) - np.mean(found)) < 4 * np.std(found)
    assert np.std(found) < 0.02 * np.mean(found)  # so a tenth off fails

"""The generator of packed words, on which every stored number of the book depends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard_edu._draws import draw_submissions, draw_words, unpack

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 200)


@given(seed=seeds, n=sizes, blocks=st.lists(st.integers(1, 5), min_size=1, max_size=5))
def test_blocks_do_not_matter(seed, n, blocks):
    together = draw_submissions(np.random.default_rng(seed), sum(blocks), n)
    for parts in (blocks, [1] * sum(blocks)):
        rng = np.random.default_rng(seed)
        assert np.array_equal(np.concatenate([draw_submissions(rng, part, n) for part in parts]), together)


@given(seed=seeds, n=sizes)
def test_layout(seed, n):
    words = draw_words(np.random.default_rng(seed), 3, n)
    assert words.shape == (3, -(-n // 64))
    assert words.dtype == np.uint64
    whole = [sum(int(word) << (64 * i) for i, word in enumerate(row)) for row in words]
    assert all(row < 2**n for row in whole), "a spare bit is set"
    assert unpack(words, n).tolist() == [[row >> j & 1 for j in range(n)] for row in whole]


@given(seed=seeds, n=sizes)
def test_words_are_those_of_the_generator(seed, n):
    words = draw_words(np.random.default_rng(seed), 2, n)
    raw = np.random.default_rng(seed).bit_generator.random_raw(words.size).reshape(words.shape)
    assert np.array_equal(words[:, :-1], raw[:, :-1])
    assert [int(word) for word in words[:, -1]] == [int(word) >> (-n % 64) for word in raw[:, -1]]


def test_stored_draw():
    """The numbers in the book were made with this layout; changing it changes them all."""
    drawn = draw_submissions(np.random.default_rng(1), 2, 70)
    assert np.packbits(drawn).tobytes().hex() == "ff27449ecfbd60c13ecc60dc41bc979c90f0"


def test_read_only():
    drawn = draw_submissions(np.random.default_rng(1), 2, 5)
    assert drawn.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        drawn[0, 0] = 1


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000])
def test_uniform(n):
    """The entries are fair bits: all, the first and the last are 1 half of the time, to four standard errors."""
    drawn = draw_submissions(np.random.default_rng(n), 4000, n)
    for bits in (drawn, drawn[:, 0], drawn[:, -1]):
        assert abs(bits.mean() - 0.5) < 4 * 0.5 / np.sqrt(bits.size)

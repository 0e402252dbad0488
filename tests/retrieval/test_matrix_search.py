"""Int8 codes and the search for the nearest of them."""

from __future__ import annotations

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import IndexDamaged
from retrieval.store import schema
from retrieval.store.matrix_search import MatrixSearch, encode_vectors


def _search(codes: dict[int, bytes]) -> MatrixSearch:
    connection = apsw.Connection(":memory:")
    try:
        schema.create_tables(connection)
        connection.executemany("INSERT INTO vectors VALUES (?, x'', 0, ?)", codes.items())
        return MatrixSearch(connection)
    finally:
        connection.close()


def _code(*values: int) -> bytes:
    return np.array(values, np.int8).tobytes()


def test_a_vector_is_scaled_so_that_its_largest_component_is_127() -> None:
    """The direction is kept, the length is not; codes are symmetric about zero."""
    (code,) = encode_vectors(np.array([[0.5, -1.0, 0.25]], np.float32))
    assert code == _code(64, -127, 32)


@pytest.mark.parametrize("bad", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [-np.inf, 1.0]])
def test_a_row_without_a_direction_has_no_code(bad: list[float]) -> None:
    """Zero, NaN and infinity are refused, and the other rows are not disturbed."""
    codes = encode_vectors(np.array([[1.0, 0.0], bad, [0.0, 1.0]], np.float32))
    assert codes == [_code(127, 0), None, _code(0, 127)]


def test_no_vectors_have_no_codes() -> None:
    """An empty batch is a batch."""
    assert encode_vectors(np.zeros((0, 4), np.float32)) == []


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(16, 256))
def test_rounding_changes_a_cosine_by_little(seed: int, dimension: int) -> None:
    """The cosine of two codes differs from that of the vectors by less than 0.02."""
    pair = np.random.default_rng(seed).normal(size=(2, dimension)).astype(np.float32)
    one, other = encode_vectors(pair)
    assert one is not None
    assert other is not None
    exact = float(pair[0] @ pair[1] / np.linalg.norm(pair[0]) / np.linalg.norm(pair[1]))
    assert _search({1: one}).nearest(other, 1)[0][1] == pytest.approx(exact, abs=0.02)


def test_nearest_are_ordered_by_cosine_and_then_by_id() -> None:
    """Length does not count, ties go to the smaller id, also where the limit cuts through them."""
    search = _search({5: _code(1, 0), 3: _code(100, 0), 9: _code(0, 1), 4: _code(1, 1), 7: _code(-1, 0)})
    assert search.nearest(_code(127, 0), 10) == [
        (3, 1.0), (5, 1.0), (4, pytest.approx(0.5**0.5)), (9, 0.0), (7, -1.0)
    ]  # fmt: skip
    assert search.nearest(_code(127, 0), 1) == [(3, 1.0)]


def test_the_filter_acts_before_the_choice_of_the_nearest() -> None:
    """A permitted chunk is found however many nearer ones are not permitted."""
    search = _search({1: _code(1, 0), 2: _code(1, 0), 3: _code(0, 1)})
    assert search.nearest(_code(1, 0), 1, frozenset({3, 99})) == [(3, 0.0)]
    assert search.nearest(_code(1, 0), 1, frozenset()) == []


def test_cosines_are_given_for_those_that_have_a_vector() -> None:
    """Unknown chunks are left out, before, between and after the known ones; values equal those of the search."""
    search = _search({2: _code(3, 4), 4: _code(4, 3)})
    assert search.cosines(_code(1, 0), [9, 4, 3, 2, 1, 4]) == {2: pytest.approx(0.6), 4: pytest.approx(0.8)}
    assert search.cosines(_code(1, 0), [9]) == {}
    assert search.cosines(_code(1, 0), []) == {}
    assert search.cosines(_code(2, 7), [2, 4]) == dict(search.nearest(_code(2, 7), 2))


def test_an_index_without_vectors_has_no_neighbours() -> None:
    """Nothing is near where nothing is."""
    search = _search({})
    assert search.nearest(_code(1, 0), 3) == []
    assert search.cosines(_code(1, 0), [1]) == {}


def test_vectors_of_different_lengths_are_a_damaged_index() -> None:
    """Rows that do not fit together are refused, not reshaped into nonsense."""
    with pytest.raises(IndexDamaged, match="differ in length"):
        _search({1: _code(1, 0), 2: _code(1, 0, 0)})


@given(st.lists(st.tuples(*[st.integers(-127, 127)] * 4), min_size=1, max_size=40), st.integers(1, 45))
def test_the_search_agrees_with_sorting_everything(rows: list[tuple[int, ...]], limit: int) -> None:
    """The partial sort gives the head of the full one."""
    search = _search({number: _code(*row) for number, row in enumerate(rows, 1)})
    everything = search.nearest(_code(1, 2, 3, 4), len(rows))
    assert everything == sorted(everything, key=lambda item: (-item[1], item[0]))
    assert search.nearest(_code(1, 2, 3, 4), limit) == everything[:limit]

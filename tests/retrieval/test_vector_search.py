"""Int8 codes and the search for the nearest of them."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import IndexDamaged
from retrieval.store import schema
from retrieval.store.connection import load_vector_functions
from retrieval.store.matrix_search import MatrixSearch, encode_vectors, lengths_of
from retrieval.store.scan_search import ScanSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from retrieval.store.vector_search import VectorSearch


@pytest.fixture(scope="module", params=["matrix", "scan"])
def search_in(request: pytest.FixtureRequest) -> Iterator[Callable[[dict[int, bytes]], VectorSearch]]:
    """A function that puts codes into an index and searches it in one of the two ways."""
    with ExitStack() as opened:

        def make(codes: dict[int, bytes]) -> VectorSearch:
            connection = apsw.Connection(":memory:")
            opened.callback(connection.close)
            return _searches(connection, codes)[request.param]

        yield make


def _searches(connection: apsw.Connection, codes: dict[int, bytes]) -> dict[str, VectorSearch]:
    assert load_vector_functions(connection) == ""
    schema.create_tables(connection)
    rows = [(number, lengths_of([code])[0], code) for number, code in codes.items()]
    connection.executemany("INSERT INTO vectors VALUES (?, x'', ?, ?)", rows)
    return {"matrix": MatrixSearch(connection), "scan": ScanSearch(connection)}


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
def test_rounding_changes_a_cosine_by_little(
    search_in: Callable[[dict[int, bytes]], VectorSearch], seed: int, dimension: int
) -> None:
    """The cosine of two codes differs from that of the vectors by less than 0.02."""
    pair = np.random.default_rng(seed).normal(size=(2, dimension)).astype(np.float32)
    one, other = encode_vectors(pair)
    assert one is not None
    assert other is not None
    exact = float(pair[0] @ pair[1] / np.linalg.norm(pair[0]) / np.linalg.norm(pair[1]))
    assert search_in({1: one}).nearest(other, 1)[0][1] == pytest.approx(exact, abs=0.02)


def test_nearest_are_ordered_by_cosine_and_then_by_id(search_in: Callable[[dict[int, bytes]], VectorSearch]) -> None:
    """Length does not count, ties go to the smaller id, also where the limit cuts through them."""
    search = search_in({5: _code(1, 0), 3: _code(100, 0), 9: _code(0, 1), 4: _code(1, 1), 7: _code(-1, 0)})
    assert search.nearest(_code(127, 0), 10) == [
        (3, 1.0), (5, 1.0), (4, pytest.approx(0.5**0.5)), (9, 0.0), (7, -1.0)
    ]  # fmt: skip
    assert search.nearest(_code(127, 0), 1) == [(3, 1.0)]


def test_the_filter_acts_before_the_choice_of_the_nearest(
    search_in: Callable[[dict[int, bytes]], VectorSearch],
) -> None:
    """A permitted chunk is found however many nearer ones are not permitted."""
    search = search_in({1: _code(1, 0), 2: _code(1, 0), 3: _code(0, 1)})
    assert search.nearest(_code(1, 0), 1, frozenset({3, 99})) == [(3, 0.0)]
    assert search.nearest(_code(1, 0), 1, frozenset()) == []


def test_cosines_are_given_for_those_that_have_a_vector(search_in: Callable[[dict[int, bytes]], VectorSearch]) -> None:
    """Unknown chunks are left out, before, between and after the known ones; values equal those of the search."""
    search = search_in({2: _code(3, 4), 4: _code(4, 3)})
    assert search.cosines(_code(1, 0), [9, 4, 3, 2, 1, 4]) == {2: pytest.approx(0.6), 4: pytest.approx(0.8)}
    assert search.cosines(_code(1, 0), [9]) == {}
    assert search.cosines(_code(1, 0), []) == {}
    assert search.cosines(_code(2, 7), [2, 4]) == dict(search.nearest(_code(2, 7), 2))


def test_an_index_without_vectors_has_no_neighbours(search_in: Callable[[dict[int, bytes]], VectorSearch]) -> None:
    """Nothing is near where nothing is."""
    search = search_in({})
    assert search.nearest(_code(1, 0), 3) == []
    assert search.cosines(_code(1, 0), [1]) == {}


@pytest.mark.parametrize("way", ["matrix", "scan"])
def test_vectors_of_different_lengths_are_a_damaged_index(way: str) -> None:
    """Rows that do not fit together are refused, not reshaped into nonsense."""
    with closing(apsw.Connection(":memory:")) as connection:
        search = _searches(connection, {1: _code(1, 0), 2: _code(1, 1)})[way]
        connection.execute("UPDATE vectors SET code = x'010203' WHERE chunk_id = 2")
        with pytest.raises(IndexDamaged, match="differ in length"):
            (MatrixSearch(connection) if way == "matrix" else search).nearest(_code(1, 0), 1)


@given(st.lists(st.tuples(*[st.integers(-127, 127)] * 4), min_size=1, max_size=40), st.integers(1, 45))
def test_the_search_agrees_with_sorting_everything(
    search_in: Callable[[dict[int, bytes]], VectorSearch], rows: list[tuple[int, ...]], limit: int
) -> None:
    """The partial sort gives the head of the full one."""
    search = search_in({number: _code(*row) for number, row in enumerate(rows, 1)})
    everything = search.nearest(_code(1, 2, 3, 4), len(rows))
    assert everything == sorted(everything, key=lambda item: (-item[1], item[0]))
    assert search.nearest(_code(1, 2, 3, 4), limit) == everything[:limit]


_SEED = st.integers(0, 2**32 - 1)


@given(_SEED, st.integers(1, 60), st.integers(1, 256), st.integers(1, 127), st.integers(1, 70))
def test_both_ways_return_the_same_numbers(seed: int, count: int, width: int, largest: int, limit: int) -> None:
    """Whatever the codes, ties among them, and the filter: not one bit of a cosine or place of a list differs."""
    random = np.random.default_rng(seed)
    rows = random.integers(-largest, largest, (count, width), np.int8, endpoint=True)
    rows[random.integers(0, count, count // 3)] = rows[0]  # equal passages are common
    ids = random.choice(1000, count, replace=False).tolist()
    query = random.integers(-127, 127, width, np.int8, endpoint=True).tobytes()
    allowed = frozenset(random.choice(1000, 500, replace=False).tolist())
    with closing(apsw.Connection(":memory:")) as connection:
        both = _searches(connection, {i: row.tobytes() for i, row in zip(ids, rows, strict=True)})
        matrix, scan = both["matrix"], both["scan"]
        assert scan.nearest(query, limit) == matrix.nearest(query, limit)
        assert scan.nearest(query, limit, allowed) == matrix.nearest(query, limit, allowed)
        assert scan.cosines(query, allowed) == matrix.cosines(query, allowed)


def test_more_ties_than_were_fetched_are_told_apart_by_id(
    search_in: Callable[[dict[int, bytes]], VectorSearch],
) -> None:
    """A hundred equal passages at the edge of the list leave the smallest ids in it."""
    search = search_in({number: _code(3, 4) for number in range(100, 0, -1)})
    assert [chunk_id for chunk_id, _ in search.nearest(_code(3, 4), 3)] == [1, 2, 3]

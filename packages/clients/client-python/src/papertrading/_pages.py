"""Lists that come in pages."""

from __future__ import annotations

import re
from typing import Callable, Generic, Iterator, Mapping, NamedTuple, Optional, TypeVar

from ._codec import Items

T = TypeVar("T")


class Page(NamedTuple):
    items: Items
    next_path: Optional[str]
    """The path of the next page; None on the last one."""


class Pages(Generic[T]):
    """Iterates over every item of a list. A page is requested when its first item is needed."""

    def __init__(self, first_path: str, read: Callable[[str], Page]) -> None:
        self._path: Optional[str] = first_path
        self._read = read
        self._items: Items[T] = Items()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        while not self._items:
            page = self.next_page()
            if page is None:
                raise StopIteration
            self._items = Items(reversed(page))
        return self._items.pop()

    def next_page(self) -> Optional[Items[T]]:
        """The items of the next unread page; None after the last."""
        if self._path is None:
            return None
        page = self._read(self._path)
        self._path = page.next_path
        return page.items

    def all(self) -> Items[T]:
        """Every item that was not read yet, such as for `to_dataframe()`."""
        return Items(self)


def next_path(headers: Mapping[str, str]) -> Optional[str]:
    found = re.search(r'<([^>]+)>;\s*rel="?next"?', headers.get("link", ""))
    return None if found is None else found.group(1)

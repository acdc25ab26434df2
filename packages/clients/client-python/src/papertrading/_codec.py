"""Converts JSON of the API to dataclasses, and back: camelCase in JSON, snake_case in Python."""

from __future__ import annotations

import dataclasses
import json
import keyword
import re
from datetime import datetime, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Mapping, Optional, Tuple, Type, TypeVar, Union
from typing import cast, get_args, get_origin, get_type_hints
from urllib.parse import quote

from .errors import ApiRefusal

if TYPE_CHECKING:
    from ._receipts import Receipt

T = TypeVar("T")

Number = float
"""Money, a price or a ratio. A float, or a `decimal.Decimal` where the client was created with `decimals=True`: then it
is exactly the text that the service sent. Type checkers see a float, since code treats both alike."""

Time = Union[str, datetime]
"""A time in a request: ISO 8601 in UTC ("2027-12-31T23:59:00Z"), or an aware datetime."""


class Model:
    """The base of every answer."""

    @property
    def receipt(self) -> Optional[Receipt]:
        """Where the journal holds the command that gave this answer; None for the answer of a read."""
        return cast("Optional[Receipt]", self.__dict__.get("_receipt"))


class Items(List[T]):
    """A list of an answer."""

    def to_dataframe(self) -> Any:
        """The items as a pandas DataFrame: a row an item, a column a field, times as UTC timestamps.

        Needs pandas, which this package does not install. Decimals stay Decimals.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_dataframe() needs pandas: pip install pandas") from error
        rows = [flat(item) for item in self]
        frame = cast(Any, pandas).DataFrame(rows)
        for column in frame.columns:
            if column.split(".")[-1] in TIME_FIELDS or column.endswith("_at"):
                frame[column] = cast(Any, pandas).to_datetime(frame[column], utc=True)
        return frame


TIME_FIELDS = ("at", "date", "start", "ts")


def flat(item: Any) -> Dict[str, Any]:
    """The fields of an item; those of a nested object as `outer.inner`."""
    row: Dict[str, Any] = {}
    for field in dataclasses.fields(item):
        value = getattr(item, field.name)
        if dataclasses.is_dataclass(value):
            row.update({f"{field.name}.{name}": inner for name, inner in flat(value).items()})
        else:
            row[field.name] = value
    return row


def parse_time(text: str) -> datetime:
    """A timestamp of an answer as an aware datetime."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def quoted(part: str, refusal: Type[ApiRefusal] = ApiRefusal, *words: str) -> str:
    """Encodes an id in a path. Raises for an empty id, dots, and one of `words`, which would make another path."""
    if part in ("", ".", ".."):
        raise ValueError("An id must not be empty, nor dots")
    if part in words:
        raise refusal(f"Nothing has the id {part}")
    return quote(part, safe="")


def snake(name: str) -> str:
    made = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return f"{made}_" if keyword.iskeyword(made) else made


def camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def encode(value: Any) -> Any:
    """A value of a request in the form of JSON. Fields that are None are left out."""
    if isinstance(value, Decimal):
        as_float = float(value)
        if Decimal(repr(as_float)) != value:
            raise ValueError(f"{value} has more digits than a JSON number carries")
        return as_float
    if isinstance(value, datetime):
        return utc_text(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return encode({field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    if isinstance(value, Mapping):
        given = cast("Mapping[str, Any]", value)
        return {camel(name): encode(of) for name, of in given.items() if of is not None}
    if isinstance(value, (list, tuple)):
        return [encode(of) for of in cast("List[Any]", value)]
    return value


def utc_text(time: datetime) -> str:
    if time.tzinfo is None:
        raise ValueError(f"{time!r} has no time zone: use datetime.now(timezone.utc) or the like")
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return utc_text(value) if isinstance(value, datetime) else str(value)


def parse_json(text: Union[str, bytes], decimals: bool) -> Any:
    return json.loads(text, parse_float=Decimal) if decimals else json.loads(text)


Decoder = Callable[[Any], Any]
_decoders: Dict[Tuple[Any, bool], Decoder] = {}


def decode(type_: Any, value: Any, decimals: bool) -> Any:
    """A value of an answer as the type that the method declares. Unknown fields are left out, missing ones are None."""
    return decoder_of(type_, decimals)(value)


def decoder_of(type_: Any, decimals: bool) -> Decoder:
    key = (type_, decimals)
    found = _decoders.get(key)
    if found is None:
        found = _decoders[key] = _make_decoder(type_, decimals)
    return found


def _make_decoder(type_: Any, decimals: bool) -> Decoder:
    origin, args = get_origin(type_), get_args(type_)
    if type_ is float:
        return _to_decimal if decimals else float
    if origin is Union:
        return _union_decoder([arg for arg in args if arg is not type(None)], decimals)
    if origin in (Items, list):
        of = decoder_of(args[0], decimals)
        made = Items if origin is Items else list
        return lambda value: made([None if item is None else of(item) for item in value])
    if dataclasses.is_dataclass(type_) and isinstance(type_, type):
        return _model_decoder(type_, decimals)
    return lambda value: value


def _to_decimal(value: Any) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(value)


def _model_decoder(type_: Any, decimals: bool) -> Decoder:
    hints = get_type_hints(type_)
    parts: Optional[List[Tuple[str, str, Decoder, bool]]] = None

    def decode_model(value: Any) -> Any:
        nonlocal parts
        if parts is None:
            # Built at the first use, since a dataclass can contain its own type.
            parts = [
                (one.name, camel(one.name), decoder_of(hints[one.name], decimals), one.default is dataclasses.MISSING)
                for one in dataclasses.fields(type_)
            ]
        made: Dict[str, Any] = {}
        for name, key, of, is_required in parts:
            given = value.get(key)
            if given is not None:
                made[name] = of(given)
            elif is_required:
                made[name] = None
        return type_(**made)

    return decode_model


def _union_decoder(types: List[Any], decimals: bool) -> Decoder:
    if len(types) == 1:
        return decoder_of(types[0], decimals)
    tags = {tag: decoder_of(type_, decimals) for type_ in types for tag in _tags_of(type_)}

    def decode_union(value: Any) -> Any:
        for tag, of in tags.items():
            if value.get(tag[0]) == tag[1]:
                return of(value)
        return value

    return decode_union


def _tags_of(type_: Any) -> List[Tuple[str, Any]]:
    """The fields by which a member of a union is recognized: those with only one possible value."""
    hints = get_type_hints(type_).items()
    literals = [(camel(name), get_args(hint)) for name, hint in hints if get_origin(hint) is Literal]
    return [(name, values[0]) for name, values in literals if len(values) == 1]

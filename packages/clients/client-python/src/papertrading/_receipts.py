"""Receipts of commands, and their check against the public journal (the service's /docs/format)."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Callable, Dict, Iterable, Mapping, NamedTuple, Optional

from ._codec import decode
from .errors import ReceiptFault
from .models import JournalLine

# Before the first event.
NO_HASH = "0" * 64


class Receipt(NamedTuple):
    """Where the journal holds a command: X-Journal-Seq and X-Journal-Hash of its answer."""

    seq: int
    """The sequence of the command's last event."""
    hash: str
    """The hash of that event, which fixes every event before it too."""
    request: str = ""
    """The method and the path of the command."""


class Proof(NamedTuple):
    """What a check found: the journal holds the receipt's event, and nothing was changed from there to `through`."""

    receipt: Receipt
    event: Mapping[str, Any]
    """The public part of the event."""
    through: int
    """The last sequence that was checked."""
    hash: str
    """The hash of the event at `through`."""


def public_of(line: JournalLine) -> Dict[str, Any]:
    """The public part of an event, parsed."""
    return json.loads(line.public_text)


def line_of(text: str) -> JournalLine:
    """Parses the line. Raises ReceiptFault for a line that is not one of a journal."""
    try:
        value = json.loads(text)
        made: JournalLine = decode(JournalLine, value, False)
        bytes.fromhex(made.hash + made.private_digest)
        _ = public_of(made)["seq"]
    except (KeyError, TypeError, ValueError) as error:
        raise ReceiptFault(f"The journal has a line that is not an event: {text[:200]}") from error
    return made


def hash_of(before: str, line: JournalLine) -> str:
    """The hash that an event must have after an event with the hash `before`."""
    public_digest = hashlib.sha256(line.public_text.encode("utf8")).digest()
    return hashlib.sha256(bytes.fromhex(before) + public_digest + bytes.fromhex(line.private_digest)).hexdigest()


def check(
    receipt: Receipt,
    known: Iterable[Receipt],
    through: Optional[int],
    read: Callable[[int, int], Iterable[JournalLine]],
) -> Proof:
    """Follows the journal from the receipt's event to `through`; None means its end. Every receipt in `known`
    between the two must be there too. `read(first, last)` returns the lines of the journal from `first` on.
    """
    expected = {one.seq: one.hash for one in known}
    expected[receipt.seq] = receipt.hash
    last = receipt.seq if through is None else max(through, receipt.seq)
    event: Optional[Mapping[str, Any]] = None
    # The first line gives the hash before the receipt's event, which the receipt's own hash then confirms.
    seq, before = (0, NO_HASH) if receipt.seq == 1 else (receipt.seq - 2, None)
    for line in read(seq + 1, -1 if through is None else last):
        if through is not None and line.seq > last:
            break
        if line.seq != seq + 1 or public_of(line)["seq"] != line.seq:
            raise ReceiptFault(f"The journal has event {line.seq} where event {seq + 1} must be")
        seq = line.seq
        if before is not None and hash_of(before, line) != line.hash:
            raise ReceiptFault(f"Event {line.seq} was changed: its texts do not give its hash {line.hash}")
        before = line.hash
        if line.seq in expected and expected[line.seq] != line.hash:
            raise ReceiptFault(f"Event {line.seq} has the hash {line.hash}, and a receipt says {expected[line.seq]}")
        if line.seq == receipt.seq:
            event = public_of(line)
    if event is None or seq < last:
        raise ReceiptFault(f"The journal ends with event {seq}, and a receipt speaks of event {last}")
    return Proof(receipt, event, seq, before or NO_HASH)

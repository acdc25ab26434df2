"""Receipts against journals that hold them, and that do not."""

from __future__ import annotations

import hashlib
import json
from typing import List

import pytest
from fake_service import FakeService, Handler
from papertrading import Client, Receipt, ReceiptFault


def chain(count: int) -> List[dict]:
    lines: List[dict] = []
    before = "0" * 64
    for seq in range(1, count + 1):
        text = json.dumps({"event": {"type": "Traded"}, "id": f"e{seq}", "seq": seq})
        made = hashlib.sha256(bytes.fromhex(before) + hashlib.sha256(text.encode()).digest() + bytes(32)).hexdigest()
        lines.append(
            {"hash": made, "id": f"e{seq}", "privateDigest": "0" * 64, "publicText": text, "seq": seq, "type": "Traded"}
        )
        before = made
    return lines


def serving(lines: List[dict]) -> FakeService:
    """Pages of three events."""

    def page(handler: Handler) -> None:
        first = int(handler.path.split("from=")[1].split("&")[0])
        found = [line for line in lines if line["seq"] >= first]
        data = "".join(json.dumps(line) + "\n" for line in found[:3]).encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "application/x-ndjson")
        handler.send_header("Content-Length", str(len(data)))
        if len(found) > 3:
            handler.send_header("Link", f'</api/journal?from={first + 3}>; rel="next"')
        handler.end_headers()
        handler.wfile.write(data)

    return FakeService(*[page] * 20)


def receipt(lines: List[dict], seq: int) -> Receipt:
    return Receipt(seq, lines[seq - 1]["hash"])


@pytest.mark.parametrize("seq", [1, 2, 5, 9])
def test_a_receipt_holds(seq):
    lines = chain(9)
    with serving(lines) as service, Client(service.url) as client:
        proof = client.verify_receipt(receipt(lines, seq))
        assert (proof.through, proof.hash, proof.event["seq"]) == (seq, lines[seq - 1]["hash"], seq)
        assert client.verify_receipt(receipt(lines, seq), through="end").through == 9
        assert client.verify_receipt(receipt(lines, seq), through=7).through == max(seq, 7)


def damaged(seq: int, **fields: object) -> List[dict]:
    lines = chain(9)
    lines[seq - 1] = {**lines[seq - 1], **fields}
    return lines


TEXT = json.dumps({"event": {"type": "Traded"}, "id": "e", "seq": 6})


@pytest.mark.parametrize(
    "lines, said",
    [
        (damaged(5, hash="ab" * 32), "a receipt says|was changed"),
        (damaged(6, publicText=TEXT), "Event 6 was changed"),
        (damaged(6, privateDigest="cd" * 32), "Event 6 was changed"),
        (damaged(6, publicText="no"), "not an event"),
        (chain(9)[:6] + chain(9)[7:], "has event 8 where event 7 must be"),
        (chain(4), "ends with event 4"),
        ([], "ends with event"),
    ],
)
def test_a_receipt_of_a_journal_that_was_changed_does_not_hold(lines, said):
    with serving(lines) as service, Client(service.url) as client, pytest.raises(ReceiptFault, match=said):
        client.verify_receipt(receipt(chain(9), 5), through=8)


def test_an_event_that_was_changed_together_with_its_hash_does_not_hold():
    lines = chain(9)
    before = lines[3]["hash"]
    made = hashlib.sha256(bytes.fromhex(before) + hashlib.sha256(TEXT.encode()).digest() + bytes(32)).hexdigest()
    with serving(damaged(5, publicText=TEXT.replace("6", "5"), hash=made)) as service, Client(service.url) as client:
        with pytest.raises(ReceiptFault):
            client.verify_receipt(receipt(lines, 5))

"""The generated modules are those of the served OpenAPI document."""

from __future__ import annotations

import sys
from pathlib import Path

import papertrading
from papertrading import AsyncClient, Client
from papertrading.models import Pulse

sys.path.insert(0, str(Path(papertrading.__file__).parents[2] / "tools"))

import generate  # noqa: E402


def test_the_generated_modules_are_up_to_date(operator: Client):
    for file, text in generate.generate(operator.fetch_open_api()).items():
        assert (generate.PACKAGE / file).read_text("utf8") == text, f"{file}: run tools/generate.py (see README.md)"


def test_every_public_endpoint_has_a_method_and_asyncio_has_it_too(operator: Client):
    by_hand = {
        "cancelOrders": "cancel_all_orders",
        "createSubAccountKey": "create_key",
        "listLedger": "fetch_ledger",
        "placeOrders": "create_orders",
        "readBacktestJournal": "fetch_backtest_journal",
        "readJournal": "fetch_journal",
        "streamAccount": "watch_account",
        "streamMarkets": "watch_pulse",
        "streamOrderBook": "watch_order_book",
    }
    operations = list(generate.operations_of(operator.fetch_open_api()))
    assert len(operations) >= 41
    for operation in operations:
        name = by_hand.get(operation.id, operation.name)
        assert callable(getattr(Client, name)) and callable(getattr(AsyncClient, name)), operation.id


def test_every_model_is_exported():
    assert papertrading.Pulse is Pulse
    assert len(set(papertrading.__all__)) == len(papertrading.__all__)
    assert all(hasattr(papertrading, name) for name in papertrading.__all__)

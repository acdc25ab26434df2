"""Each example runs against the service, as its first lines say."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict

import papertrading
from papertrading import Client

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def environment(service, key: str, **settings: str) -> Dict[str, str]:
    modules = str(Path(papertrading.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": modules, "PAPER_URL": service.url, "PAPER_KEY": key, **settings}


def run(name: str, folder: Path, env: Dict[str, str]) -> str:
    command = [sys.executable, str(EXAMPLES / name)]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_fleet(service, open_account, ann: Client, market: str, tmp_path: Path):
    ann.create_order(market, "no", price=0.5, quantity=100)
    said = run("fleet.py", tmp_path, environment(service, open_account("Owner").key, MARKET=market))
    assert "Reader buys 1 → its key says no" in said
    assert "Buyer buys for 4 dollars → filled 8 filled" in said
    assert "Buyer buys for 50 dollars → its mandate says no" in said
    assert "Seller buys 1 → its mandate says no" in said
    assert "the fleet's first fill: 8 at 0.5" in said


def test_forecaster(service, open_account, operator: Client, ann: Client, market: str, tmp_path: Path):
    ann.create_order(market, "no", price=0.5, quantity=100)
    signal = {
        "externalId": market,
        "source": "wire",
        "headline": "It passes\u200f",
        "citationUrl": "https://example.com/news",
        "publishedAt": "2026-11-20T12:59:30Z",
        "marketId": market,
        "fairProb": 0.9,
    }
    operator.request("POST", "/api/operator/signals", body=signal)
    said = run("forecaster.py", tmp_path, environment(service, open_account("Forecaster").key, TRADES="1"))
    assert r"'It passes\u200f' ('wire'" in said
    assert "it bought" in said and "| source:" in said and "dollars free" in said


def test_first_fill(service, tmp_path: Path):
    said = run("first_fill.py", tmp_path, environment(service, service.demo_key))
    assert "first fill:" in said and "of the journal: OrderFilled" in said


def test_market_maker(service, open_account, operator: Client, ann: Client, market: str, tmp_path: Path):
    env = environment(service, open_account("Maker").key, MARKET=market, FILLS="1")
    command = [sys.executable, str(EXAMPLES / "market_maker.py")]
    maker = subprocess.Popen(
        command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        deadline = time.monotonic() + 30
        while ann.fetch_order_book(market).best_yes_ask is None:
            assert maker.poll() is None and time.monotonic() < deadline, "it does not quote"
            time.sleep(0.05)
        assert ann.create_order(market, "yes", order_type="market", quantity=3).filled_qty == 3
        said, _ = maker.communicate(timeout=30)
    finally:
        maker.kill()
    assert maker.returncode == 0, said
    assert "quotes 0.48 / 0.52" in said and "filled buy 3 no at 0.48" in said and "ended: 2 orders cancelled" in said
    operator.request("GET", "/api/operator/markets")  # Waits until public reads show the end of the quotes.
    assert ann.fetch_order_book(market).best_yes_ask is None

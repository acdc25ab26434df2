"""Each example runs against the service, as its first lines say."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Dict, List

import papertrading
from papertrading import Client, NewOrder

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def environment(service, key: str, **settings: str) -> Dict[str, str]:
    modules = str(Path(papertrading.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": modules, "PAPER_BASE_URL": service.url, "PAPER_API_KEY": key, **settings}


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


def test_taker(service, open_account, ann: Client, market: str, tmp_path: Path):
    settings = {"TRADES": "1", "LOOK_SECONDS": "0.1", "HOLD_SECONDS": "1"}
    env = environment(service, open_account("Taker").key, MARKET=market, **settings)
    command = [sys.executable, "-u", str(EXAMPLES / "taker.py")]
    taker = subprocess.Popen(
        command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    lines: List[str] = []
    reader = threading.Thread(target=lambda: said_by(taker, lines), daemon=True)
    reader.start()
    try:
        # Each step is a move; the first ones may come before it looks.
        deadline, price = time.monotonic() + 30, 0.4
        while not any(line.startswith("buy ") for line in lines):
            assert taker.poll() is None and time.monotonic() < deadline, "it does not buy"
            price = 0.4 if price > 0.8 else price + 0.05
            ann.cancel_all_orders(market_id=market)
            ann.create_orders([
                NewOrder(market, "yes", price=round(price, 2), quantity=100, post_only=True),
                NewOrder(market, "no", price=round(0.98 - price, 2), quantity=100, post_only=True),
            ])
        reader.join(30)
        taker.wait(30)
    finally:
        taker.kill()
    said = "".join(lines)
    assert taker.returncode == 0, said
    assert "sell " in said and "ended: 1 times bought and sold" in said


def said_by(process: "subprocess.Popen[str]", lines: List[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)


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

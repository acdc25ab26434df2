"""One service for the session: that of PAPERTRADING_SERVICE (its service.json), or one that is started here."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, Iterator, NamedTuple

import pytest
from papertrading import Client

ROOT = Path(__file__).resolve().parents[4]


class Service(NamedTuple):
    url: str
    operator_token: str
    demo_key: str


class Account(NamedTuple):
    id: str
    key: str


def service_of(file: Path) -> Service:
    said: Dict[str, Any] = json.loads(file.read_text("utf8"))
    return Service(said["baseUrl"], said["operatorToken"], said["demo"]["apiKey"])


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    given = os.environ.get("PAPERTRADING_SERVICE")
    if given is not None:
        yield service_of(Path(given))
        return
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on PATH, which the service needs")
    folder = tempfile.mkdtemp(prefix="papertrading-")
    settings = {**os.environ, "PORT": "0", "DATA_DIR": folder}
    process = subprocess.Popen([node, "scripts/run.mjs", "start"], cwd=ROOT, env=settings, stdout=subprocess.DEVNULL)
    try:
        file = Path(folder) / "service.json"
        while not file.exists():
            assert process.poll() is None, "the service ended before it was ready"
            time.sleep(0.1)
        yield service_of(file)
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def operator(service: Service) -> Iterator[Client]:
    with Client(service.url, service.operator_token) as client:
        yield client


numbers = itertools.count(1)
STAMP = f"{time.time_ns():x}"


@pytest.fixture
def open_account(operator: Client):
    """Opens an account."""

    def made(name: str) -> Account:
        answer = operator.request("POST", "/api/operator/accounts", body={"displayName": name})
        return Account(answer["account"]["id"], answer["apiKey"]["rawKey"])

    return made


@pytest.fixture
def market(operator: Client) -> str:
    """The id of a new market, with a book of the test's own."""
    listing = {
        "id": f"python-{STAMP}-{next(numbers)}",
        "title": "Will the Python client pass?",
        "ticker": "PY",
        "companySlug": "python",
        "sector": "tests",
        "category": "tests",
        "settlementSource": "tests",
        "prior": 0.5,
        "tickSize": 0.01,
        "closesAt": "2099-01-01T00:00:00Z",
    }
    listed = operator.request("POST", "/api/operator/markets", body=listing)["id"]
    # Public reads may be behind: an operator's read waits until they show the market.
    operator.request("GET", "/api/operator/markets")
    return listed


@pytest.fixture
def ann(service: Service, open_account) -> Iterator[Client]:
    with Client(service.url, open_account("Ann").key) as client:
        yield client


@pytest.fixture
def ben(service: Service, open_account) -> Iterator[Client]:
    with Client(service.url, open_account("Ben").key) as client:
        yield client

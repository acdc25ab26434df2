"""The client for an operator's token."""

from __future__ import annotations

import pytest
from fake_service import FakeService, cut, refuse, reply
from papertrading import KeyLost, MarketNotFound, OperatorClient

ISSUED = {
    "id": "key-1",
    "name": "default",
    "permissions": ["view", "trade"],
    "last4": "abcd",
    "createdAt": "2026-11-20T12:59:30.000Z",
    "revokedAt": None,
    "mandate": None,
}
ACCOUNT = {"id": "account-1", "displayName": "Ada", "createdAt": "2026-11-20T12:59:30.000Z", "startingBalance": 10000}


def test_an_account_whose_key_was_lost_gets_another():
    replaced = {**ISSUED, "id": "key-2", "rawKey": "svc_live_2"}
    opened = {"account": ACCOUNT, "apiKey": ISSUED}
    steps = [cut, reply(opened), reply({"ok": True}), reply({"apiKey": replaced})]
    with FakeService(*steps) as service, OperatorClient(service.url, "token") as operator:
        made = operator.open_account("Ada")
        assert (made.account.id, made.api_key.raw_key) == ("account-1", "svc_live_2")
        assert [(one.method, one.path) for one in service.received[1:]] == [
            ("POST", "/api/operator/accounts"),
            ("DELETE", "/api/operator/keys/key-1"),
            ("POST", "/api/operator/accounts/account-1/keys"),
        ]
        assert service.received[0].headers["authorization"] == "Bearer token"
        assert service.received[0].headers["idempotency-key"] == service.received[1].headers["idempotency-key"]


def test_a_lost_key_that_may_not_be_revoked_is_named():
    steps = [reply({"apiKey": ISSUED}), refuse(403, "forbidden", "Forbidden")]
    with FakeService(*steps) as service, OperatorClient(service.url, "token") as operator:
        with pytest.raises(KeyLost):
            operator.issue_key("account-1", "bot", ["view"])


def test_commands_of_a_batch_that_could_not_be_decided_are_sent_again_alone():
    undecided = {"ok": False, "status": 503, "error": "stopping", "code": "unavailable"}
    refused = {"ok": False, "status": 404, "error": "No market has the id b", "code": "market_not_found"}
    done = {"ok": True, "changed": True, "result": {"id": "a"}}
    with FakeService(
        reply({"results": [undecided, refused, done]}), reply({"results": [done]})
    ) as service, OperatorClient(service.url, "token") as operator:
        commands = [{"op": "pause-market", "id": name} for name in "abc"]
        assert operator.run_batch(commands, idempotency_key="k") == [done, refused, done]
        assert service.received[1].body == {"commands": [commands[0]]}
        assert [one.headers["idempotency-key"] == "k" for one in service.received] == [True, False]


def test_it_lists_opens_and_counts_on_a_real_service(service, operator):
    with OperatorClient(service.url, service.operator_token) as client:
        listed = client.create_market(
            title="Will the operator's client pass?",
            ticker="PY",
            company_slug="python",
            sector="tests",
            category="tests",
            settlement_source="tests",
            prior=0.5,
            closes_at="2099-01-01T00:00:00Z",
        )
        assert client.fetch_market(listed.id).status == "active"
        assert listed.id in [market.id for market in client.iter_markets_of_any_phase(phase="active")]
        opened = client.open_account("Operator's Ada")
        assert client.issue_key(opened.account.id, "second", ["view"]).raw_key is not None
        (paused, missing) = client.run_batch(
            [{"op": "pause-market", "id": listed.id}, {"op": "pause-market", "id": "none"}]
        )
        assert (paused["ok"], missing["code"]) == (True, "market_not_found")
        assert client.fetch_usage().day is not None
        with pytest.raises(MarketNotFound):
            client.fetch_market("none")

"""The client for an operator's token."""

from __future__ import annotations

import time
import uuid
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence

from ._codec import Items, Number, Time, quoted
from ._pages import Pages
from ._retry import back_off
from .client import Client
from .models import IssuedApiKey, Market, OpenedAccount, Permission, Phase, Usage

# The most attempts for commands of a batch that could not be decided.
BATCH_ATTEMPTS = 8


class OperatorClient(Client):
    """A client for an operator's token: markets, accounts, keys and batches. Every other call of operators is
    `request(method, path)`. Public reads are as in `Client`; the calls for traders refuse such a token.
    """

    def create_market(
        self,
        *,
        title: str,
        ticker: str,
        company_slug: str,
        sector: str,
        category: str,
        settlement_source: str,
        prior: Number,
        closes_at: Time,
        id: Optional[str] = None,
        status: Optional[Literal["active", "scheduled", "closed"]] = None,
        tick_size: Optional[Number] = None,
        company_impact: Optional[Number] = None,
        drivers: Optional[Sequence[str]] = None,
        description: Optional[str] = None,
        citation_url: Optional[str] = None,
    ) -> Market:
        """Lists a market. Without an id it gets one, so that a repeat lists it once."""
        listing = {
            "id": id or str(uuid.uuid4()),
            "title": title,
            "ticker": ticker,
            "companySlug": company_slug,
            "sector": sector,
            "category": category,
            "settlementSource": settlement_source,
            "prior": prior,
            "closesAt": closes_at,
            "status": status,
            "tickSize": tick_size,
            "companyImpact": company_impact,
            "drivers": drivers,
            "description": description,
            "citationUrl": citation_url,
        }
        return self._send("POST", "/api/operator/markets", Market, body=listing)

    def fetch_markets_of_any_phase(
        self, *, phase: Optional[Phase] = None, limit: Optional[int] = None
    ) -> Items[Market]:
        """Markets of every phase or of one, the newest listing first: one page."""
        return self._send("GET", "/api/operator/markets", Items[Market], query={"phase": phase, "limit": limit})

    def iter_markets_of_any_phase(self, *, phase: Optional[Phase] = None, limit: Optional[int] = None) -> Pages[Market]:
        """Every item of `fetch_markets_of_any_phase`, page by page. `limit` is the size of a page."""
        return self._pages("/api/operator/markets", Items[Market], {"phase": phase, "limit": limit})

    def fetch_usage(self, *, day: Optional[str] = None) -> Usage:
        """The 100 fleets that sent most commands on a UTC day. Default: today."""
        return self._send("GET", "/api/operator/usage", Usage, query={"day": day})

    def open_account(
        self,
        display_name: str,
        *,
        id: Optional[str] = None,
        permissions: Optional[Sequence[Permission]] = None,
        starting_balance: Optional[Number] = None,
        idempotency_key: Optional[str] = None,
    ) -> OpenedAccount:
        """Opens a primary account with its first key, whose `raw_key` is shown only once. If the answer is lost, the key
        is revoked and another one issued; raises `KeyLost` if that is refused.
        """
        body = {"displayName": display_name, "id": id, "permissions": permissions, "startingBalance": starting_balance}
        made: OpenedAccount = self._command(
            "POST", "/api/operator/accounts", OpenedAccount, body=body, idempotency_key=idempotency_key
        )
        made.__dict__["api_key"] = self._with_secret(made.api_key, made.account.id)
        return made

    def issue_key(
        self, account_id: str, name: str, permissions: Sequence[Permission], *, idempotency_key: Optional[str] = None
    ) -> IssuedApiKey:
        """Issues a key for a primary account. Raises `KeyLost` as `open_account` does."""
        return self.create_key(account_id, name, permissions, idempotency_key=idempotency_key)

    def run_batch(
        self, commands: Sequence[Mapping[str, Any]], *, idempotency_key: Optional[str] = None
    ) -> List[Dict[str, Any]]:
        """Sends up to 500 commands, such as `{"op": "pause-market", "id": "rain"}`; gives their results in the same
        order, as the service has them. A batch has status 200 even if some of its commands could not be decided: only
        those are sent again, so that `changed` stays right.
        """
        results: Dict[int, Dict[str, Any]] = {}
        waiting = list(range(len(commands)))
        for attempt in range(1, BATCH_ATTEMPTS + 1):
            body = {"commands": [commands[index] for index in waiting]}
            # Another request needs another Idempotency-Key.
            key = idempotency_key if attempt == 1 else None
            answer = self._command("POST", "/api/operator/batch", Dict[str, Any], body=body, idempotency_key=key)
            results.update(zip(waiting, answer["results"]))
            waiting = [index for index in waiting if results[index].get("status") == 503]
            if not waiting:
                break
            time.sleep(back_off(attempt))
        return [results[index] for index in range(len(commands))]

    def _keys_path(self, account_id: str) -> str:
        return f"/api/operator/accounts/{quoted(account_id)}/keys"

    def _revoke(self, key_id: str) -> None:
        self._send("DELETE", f"/api/operator/keys/{quoted(key_id)}", bool)

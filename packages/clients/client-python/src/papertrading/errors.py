"""The exceptions of the client. Each error code of the API has its own class, in error_codes.py."""

from __future__ import annotations

from typing import Optional


class PaperTradingError(Exception):
    """The base of everything that this package raises, except for wrong arguments (ValueError, TypeError)."""


class ApiRefusal(PaperTradingError):
    """The service refused the request: nothing was carried out. Catch the class of a code, such as
    `InsufficientBalance`; an answer with a code that this version does not know is an ApiRefusal itself.
    """

    code: Optional[str] = None
    status: int = 0

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        code: Optional[str] = None,
        request: str = "",
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """The text of the service."""
        self.request = request
        """The method and the path of the request."""
        self.retry_after = retry_after
        """The seconds after which the service takes the request again; None if it names none."""
        if status is not None:
            self.status = status
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        where = f" ({self.request})" if self.request else ""
        return f"{self.status} {self.code or 'error'}: {self.message}{where}"


class Unreachable(PaperTradingError):
    """No connection could be made, or a read got no answer, within the time for retries. Nothing was carried out."""


class OutcomeUnknown(PaperTradingError):
    """A command was sent, and no answer came within the time for retries: it was carried out once, or not at all.

    Call the method again with `idempotency_key=error.idempotency_key` and the same arguments to learn which: a command
    that was carried out returns its first answer. That holds for 24 hours. `__cause__` is the last failure.
    """

    def __init__(self, request: str, idempotency_key: Optional[str], reason: str) -> None:
        again = (
            "send it again" if idempotency_key is None else f"send it again with idempotency_key={idempotency_key!r}"
        )
        super().__init__(f"{request} may have been carried out: {reason}. To learn the outcome, {again}.")
        self.request = request
        self.idempotency_key = idempotency_key
        """None for a command that sets a state: it can simply be sent again."""


class IdempotencyKeyTooOld(PaperTradingError, ValueError):
    """The Idempotency-Key is older than 24 hours: the service may have forgotten it, and would carry the command out
    again. Look the outcome up instead.
    """


class KeyLost(PaperTradingError):
    """An API key was issued, but the answer with its secret was lost, and the client could not replace it. Revoke
    `key_id`, and issue another for `account_id`. `__cause__` is the refusal.
    """

    def __init__(self, key_id: str, account_id: str) -> None:
        super().__init__(f"The secret of key {key_id} of account {account_id} was lost: revoke it and issue another")
        self.key_id = key_id
        self.account_id = account_id


class ReceiptFault(PaperTradingError):
    """The public journal does not hold what an answer acknowledged."""


class ClientClosed(PaperTradingError):
    """The client was closed."""

"""Idempotency-Keys. A random key is a UUIDv7, so its age can be read from it."""

from __future__ import annotations

import itertools
import re
import secrets
import time
import uuid
from typing import Optional

from .errors import IdempotencyKeyTooOld

# The service stores a key for 24 h by its own clock; a minute less allows for a clock that differs.
AGE_SECONDS_MAX = 24 * 3600 - 60

UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


class Keys:
    """Makes the keys of a client: random ones, or a prefix with a counter. Threads may share it."""

    def __init__(self, prefix: Optional[str]) -> None:
        self._prefix = prefix
        self._numbers = itertools.count(1)

    def new(self) -> str:
        return new_key() if self._prefix is None else f"{self._prefix}{next(self._numbers)}"


def new_key() -> str:
    milliseconds = time.time_ns() // 1_000_000
    random = secrets.randbits(80)
    made = (milliseconds & (1 << 48) - 1) << 80 | random
    made = made & ~(0xF << 76) | 0x7 << 76
    made = made & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=made))


def age_seconds(key: str) -> Optional[float]:
    """The age of a key; None if the key does not contain it."""
    if UUID7.fullmatch(key) is None:
        return None
    return time.time() - int(key.replace("-", "")[:12], 16) / 1000


def assert_young(key: str) -> None:
    """Checks the age of a key. Raises IdempotencyKeyTooOld."""
    age = age_seconds(key)
    if age is not None and age > AGE_SECONDS_MAX:
        raise IdempotencyKeyTooOld(
            f"Idempotency-Key {key} is {age / 3600:.1f} h old; the service remembers one for 24 h"
        )

"""Client of the Paper Trading Service: simulated money on yes/no markets.

    from papertrading import Client

    client = Client("http://localhost:4000", "svc_live_…")
    order = client.create_order("apple-services-record-2027", "yes", order_type="market", notional=25)
"""

from . import error_codes as _error_codes
from . import models as _models
from ._async_iterators import AsyncPages, AsyncStream
from ._backtest import AsyncBacktestBots, BacktestBots
from ._codec import Items, Number, Time, parse_time
from ._pages import Pages
from ._receipts import Proof, Receipt
from ._streams import Resumed, Stream
from ._version import VERSION as __version__
from .async_client import AsyncClient
from .live_order_book import LiveOrderBook
from .client import Balance, Client
from .error_codes import *  # noqa: F403
from .errors import (
    ApiRefusal,
    ClientClosed,
    KeyLost,
    IdempotencyKeyTooOld,
    Unreachable,
    OutcomeUnknown,
    PaperTradingError,
    ReceiptFault,
)
from .models import *  # noqa: F403
from .operator_client import OperatorClient

__all__ = [
    "ApiRefusal",
    "AsyncBacktestBots",
    "AsyncClient",
    "AsyncPages",
    "AsyncStream",
    "BacktestBots",
    "Balance",
    "Client",
    "ClientClosed",
    "Items",
    "KeyLost",
    "LiveOrderBook",
    "IdempotencyKeyTooOld",
    "Unreachable",
    "Number",
    "OperatorClient",
    "OutcomeUnknown",
    "Pages",
    "PaperTradingError",
    "Proof",
    "Receipt",
    "ReceiptFault",
    "Resumed",
    "Stream",
    "Time",
    "__version__",
    "parse_time",
]
__all__ += _models.__all__
__all__ += _error_codes.__all__

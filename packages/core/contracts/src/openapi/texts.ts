/** The introduction of the OpenAPI document. */
export const ABOUT = `An exchange for simulated money on yes/no markets. Orders match in a real order book, and a public journal records every decision, so that anyone can verify them.

**First request.** \`GET /api/markets\` needs no key. With \`npm start\` the examples on this page work as they stand; the service prints the key of its demo account.

**Numbers.** Prices, money and probabilities are dollars, in steps of $0.0001. A share pays $1 or $0. Timestamps are ISO 8601, UTC, with milliseconds.

**Requests.** Bodies are closed: an unknown field is refused. Unknown query parameters are ignored, except where an operation has \`x-strict-query\`: there they are refused. Send an \`Idempotency-Key\` with a command to repeat it safely.

**Errors.** The body of an error is \`{error, code}\`. The text is for people; the code is stable, for programs.

**Consistency.** A read with a key includes every command that was answered before the read was sent, also where it needs no key; a read without one can be some milliseconds behind, but no read calls unknown what was known before it was sent. Computed signals, the leaderboard, activity and pulses are at most 2 s old.

**Caching.** Most reads carry an \`ETag\`. Send it back as \`If-None-Match\` to get 304 without a body while nothing has changed.

**Browsers.** Pages of any origin may call the API with a key, and read its answers, errors and headers. Operators' calls are the exception. Cookies are never used.

**Rate limits.** A key has 100 commands and 200 units of reads a second, with bursts of twice that. A fleet (a primary account with its sub-accounts and all their keys) has five times as much. Requests without a valid key are counted by address. Ten orders of a batch count as one command. A read costs 1 to 50 units; one without a valid key whose key, or whose subject, is unknown costs 10 at least; \`x-cost\` of each operation gives the default, the maximum and their parts. The cost is \`base\` (\`asOfSeq\` if that parameter is given), plus one unit for every full \`itemsPerUnit\` items that \`limit\` asks for. The parts follow the processor time of the read, including the database's. If the service runs with lower limits, no read costs more than an eighth of the burst.`;

/** The groups of operations, in the order that a reader expects. */
export const TAGS = {
  Markets: 'Find markets, read their order books and their history. No key needed.',
  Orders: 'Place and cancel orders, and follow what happened to them.',
  Portfolio: "Read the account's cash, positions and results.",
  Streams: 'Receive market data and account events as server-sent events.',
  Signals: 'Read cited news, and figures that are computed for each market.',
  Platform: 'Read the leaderboard, recent trades and activity of the whole platform. No key needed.',
  Accounts: 'Manage sub-accounts and API keys, with a master key of the primary account.',
  Audit: 'Verify the exchange: the public journal, and the ledger of a fleet.',
  Backtests: 'List recorded markets, and try a bot on them.',
  Service: 'Check the health of the service, and read this document.',
  'Operator: markets': 'List, pause, close and settle markets, and record signals. Needs an operator token.',
  'Operator: accounts':
    'Open, approve, close and forget accounts, issue and revoke their keys. Needs an operator token.',
  'Operator: system': 'Read the state of the system, and send commands in batches. Needs an operator token.',
} as const;

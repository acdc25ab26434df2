import type { Tape } from '@paper/tapes';

/** What a backtest was asked for, with every default filled in. Times are ms since 1970 UTC. */
export interface BacktestSettings {
  /** The id of the tape, as GET /api/tapes lists it. */
  readonly tape: string;
  /** The clock's first time; null: the tape's first event. */
  readonly from: number | null;
  /** The last time that is played; null: the tape's last event. */
  readonly to: number | null;
  readonly participants: number;
  /** Dollars of each participant. */
  readonly startingBalance: number;
  /** How long after it was sent a command is decided. */
  readonly latencyMs: number;
  /** How much later than the exchange itself streams and `advance` show what happens in markets. */
  readonly feedLatencyMs: number;
  /** The rate r of the fee r × p × (1 − p) a share that the report shows, and nobody pays. */
  readonly fee: number;
  readonly seed: number;
  /** The wall time without a call after which a participant is left out. */
  readonly patienceSeconds: number;
}

/** The first message to a backtest's process, and the only one. */
export interface BacktestStart {
  readonly id: string;
  /** PUBLIC_URL/backtest/<128 random bits>: what participants call. */
  readonly baseUrl: string;
  /** The file or folder of the tape, or `made-news`. */
  readonly tape: string;
  readonly settings: BacktestSettings;
  /** The raw API keys of the participants by turn: random, and in no journal. */
  readonly keys: readonly string[];
  /** Exists; `journal.ndjson` and `backtest.json` are written here. */
  readonly folder: string;
  /** The Unix socket on which the process listens. */
  readonly socket: string;
  /** A database of the server that is to have the read models; its role may create databases. */
  readonly databaseUrl: string;
  /**
   * The database of the read models on that server, which the process creates and drops: display names and the list of
   * schemas are one a database. That of a killed process is dropped with `dropDatabase`.
   */
  readonly database: string;
}

/** What a backtest's process says of itself. Clocks are ISO times. */
export type BacktestMessage =
  /** It listens, and its first moment is played. */
  | {
      readonly kind: 'running';
      /** The ids of the participants' accounts by turn. */
      readonly participants: readonly string[];
      readonly clock: string;
      readonly events: number;
      readonly eventsDone: number;
    }
  /** Each second. */
  | { readonly kind: 'alive' }
  /** At most once a second, while the clock moves. */
  | { readonly kind: 'progress'; readonly clock: string; readonly eventsDone: number }
  /** Nothing is decided any more; it answers reads until it is told to end, for an hour at most. */
  | { readonly kind: 'ended'; readonly clock: string; readonly why: string | null }
  /** It ends by itself. */
  | { readonly kind: 'failed'; readonly why: string };

/** What `backtest.json` in the folder of a backtest says, beside its journal. Rewritten whole when it changes. */
export interface BacktestRecord {
  readonly id: string;
  readonly settings: BacktestSettings;
  /** The tape's summary, as `openTape` gives it. */
  readonly tape: unknown;
  /** How the tape's trades were read. */
  readonly trades: Tape['trades'];
  /** Shares of the tape for which the houses had no money. */
  readonly unfunded: number;
  /** The ids of the participants' accounts by turn. */
  readonly participants: readonly string[];
  /** The ids of the sub-accounts that each of them has opened. */
  readonly subAccounts: readonly (readonly string[])[];
  /** The house accounts: `mirror` rests the tape's book, `flow` trades. */
  readonly houses: { readonly mirror: string; readonly flow: string };
  readonly rulesVersion: number;
  /** The version of the program. */
  readonly build: string;
  /** Participants that lost their turn for good, with the clock when they did. */
  readonly leftOut: readonly { readonly accountId: string; readonly at: string }[];
  /** Null: it has not ended. */
  readonly end: { readonly at: string; readonly why: string | null } | null;
}

/** The name of the file of a backtest's journal, NDJSON as GET /api/journal. */
export const JOURNAL_FILE = 'journal.ndjson';
/** The name of the file of its BacktestRecord. */
export const RECORD_FILE = 'backtest.json';

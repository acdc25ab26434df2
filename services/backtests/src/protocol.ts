import type { BacktestReportBody, TapeBody } from '@paper/contracts/backtests';
import type { Tape } from '@paper/tapes';

/** The settings of a backtest, with every default filled in. */
export type BacktestSettings = Readonly<BacktestReportBody['settings']>;

/** The first message to a backtest's process, which starts it. */
export interface BacktestStart {
  readonly id: string;
  /** The base URL for participants: PUBLIC_URL/backtest/<128 random bits>. */
  readonly baseUrl: string;
  readonly tape: string;
  readonly settings: BacktestSettings;
  /** The raw API keys of the participants by turn. They are random, and no journal contains them. */
  readonly keys: readonly string[];
  /** The existing folder for `journal.ndjson` and `backtest.json`. */
  readonly folder: string;
  readonly socket: string;
  /** A database on the server of the read models. The role of this connection may create databases. */
  readonly databaseUrl: string;
  /**
   * The name of the database of the read models on that server: a database each, since display names and the list of
   * schemas exist once in a database. The process creates and drops it.
   */
  readonly database: string;
}

/** Each further message to the process: whether the live exchange is busy, so that backtests rest between moments. */
export interface LiveLoad {
  readonly isLiveBusy: boolean;
}

export type BacktestMessage =
  /** The process listens, and its first moment is played. */
  | {
      readonly kind: 'running';
      readonly participants: readonly string[];
      readonly clock: string;
      readonly events: number;
      readonly eventsDone: number;
    }
  | { readonly kind: 'alive' }
  /** Sent at most once a second, while the clock moves. */
  | { readonly kind: 'progress'; readonly clock: string; readonly eventsDone: number }
  /** Nothing is decided any more. The process answers reads until it is told to end, for an hour at most. */
  | { readonly kind: 'ended'; readonly clock: string; readonly why: string | null }
  /** The process ends by itself. */
  | { readonly kind: 'failed'; readonly why: string };

/** The content of `backtest.json` in the folder of a backtest, which is rewritten as a whole. */
export interface BacktestRecord {
  readonly id: string;
  readonly settings: BacktestSettings;
  readonly tape: TapeBody;
  /** The numbers of the tape's trades, by how they were read. */
  readonly trades: Tape['trades'];
  /** The shares of the tape for which the accounts that play it lacked the money. */
  readonly unfunded: number;
  readonly participants: readonly string[];
  /** The ids of the sub-accounts that each participant has opened. */
  readonly subAccounts: readonly (readonly string[])[];
  /** The accounts that play the tape: `mirror` rests its book, and `flow` trades. */
  readonly houses: { readonly mirror: string; readonly flow: string };
  readonly rulesVersion: number;
  readonly build: string;
  /** Participants that lost their turns permanently, with the clock's time of that. */
  readonly leftOut: readonly { readonly accountId: string; readonly at: string }[];
  /** The end of the backtest; null while it has not ended. */
  readonly end: { readonly at: string; readonly why: string | null } | null;
}

/** The name of the file with a backtest's journal: NDJSON in the format of GET /api/journal. */
export const JOURNAL_FILE = 'journal.ndjson';
export const RECORD_FILE = 'backtest.json';

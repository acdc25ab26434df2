import type { BacktestBody, BacktestReportBody } from '@paper/contracts/backtests';
import type { Tape } from '@paper/tapes';

/** The settings of a backtest, with every default filled in. */
export type BacktestSettings = Readonly<BacktestReportBody['settings']>;

/** The first message to a backtest's process, which starts it. */
export interface BacktestStart {
  readonly id: string;
  readonly tape: string;
  readonly settings: BacktestSettings;
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

/**
 * A message of the process: the facts about its backtest that have changed, none as a sign of life once a second. It
 * listens and has played its first moment when it is `running`; `ended`, it answers reads until it is told to end, for
 * an hour at most; `failed`, it ends by itself.
 *
 * `keys`, with `running`: the raw API keys of the participants by turn. They are random, and nothing that is stored has
 * them.
 */
export type BacktestMessage = Partial<
  Pick<BacktestBody, 'clock' | 'events' | 'eventsDone' | 'participants' | 'state' | 'why'> & {
    readonly keys: readonly string[];
  }
>;

/** The content of `backtest.json` in the folder of a backtest, which is rewritten as a whole. */
export interface BacktestRecord extends Readonly<
  Pick<BacktestReportBody, 'build' | 'id' | 'leftOut' | 'rulesVersion' | 'settings' | 'tape'>
> {
  /** The numbers of the tape's trades, by how they were read. */
  readonly trades: Tape['trades'];
  /** The shares of the tape for which the accounts that play it lacked the money. */
  readonly unfunded: number;
  readonly participants: readonly string[];
  /** The ids of the sub-accounts that each participant has opened. */
  readonly subAccounts: readonly (readonly string[])[];
  /** The accounts that play the tape: `mirror` rests its book, and `flow` trades. */
  readonly houses: { readonly mirror: string; readonly flow: string };
  /** The end of the backtest; null while it has not ended. */
  readonly end: { readonly at: string; readonly why: string | null } | null;
}

/** The name of the file with a backtest's journal: NDJSON in the format of GET /api/journal. */
export const JOURNAL_FILE = 'journal.ndjson';
export const RECORD_FILE = 'backtest.json';

import type { FoldSettings, Model, ModelRows } from '../engine/model.ts';
import { Fold } from '../engine/fold.ts';
import type { ReadDb } from './tables.ts';
import { accounts } from './accounts/fold.ts';
import { books } from './books/fold.ts';
import { fills } from './fills/fold.ts';
import { marketRecords } from './market-records/fold.ts';
import { markets } from './markets/fold.ts';
import { minutes } from './minutes/fold.ts';
import { orders } from './orders/fold.ts';
import { positions } from './positions/fold.ts';
import { settings } from './settings/fold.ts';
import { settlements } from './settlements/fold.ts';
import { signals } from './signals/fold.ts';

/** The read models, in the order in which they get an event: none uses rows of a later one. */
export const MODELS = {
  settings,
  markets,
  marketRecords,
  accounts,
  positions,
  orders,
  fills,
  minutes,
  settlements,
  signals,
  books,
};

type RowsOf<M> = M extends Model<infer Own, never, ReadDb> ? Own : never;

/** The rows that all models have in memory. */
export type Rows = { readonly [N in keyof typeof MODELS]: RowsOf<(typeof MODELS)[N]> };

/** The fold of all events into all models. */
export type ReadFold = Fold<Rows, ReadDb>;

/** A check at compile time: each model uses only rows of models in this list. */
const ALL_MODELS: { readonly [N in keyof Rows]: Model<ModelRows, Rows, ReadDb> } = MODELS;

/** A fold at sequence 0. */
export function createFold(settings: FoldSettings = { positionsMax: 0, writes: () => true }): ReadFold {
  return new Fold<Rows, ReadDb>(ALL_MODELS, settings);
}

/** The fold of only markets with their books. */
export type BookFold = Fold<Pick<Rows, 'markets'>, ReadDb>;

/** A fold of markets with their books, from which nothing is written. The public parts of events are enough for it. */
export function createBookFold(): BookFold {
  return new Fold<Pick<Rows, 'markets'>, ReadDb>({ markets }, { positionsMax: 0, writes: () => false });
}

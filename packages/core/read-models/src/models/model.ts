import type { Model, ModelRows } from '../engine/model.ts';
import type { ReadDb } from './tables.ts';

/** A model of the read models' database. */
export function model<Own extends ModelRows, Rows>(declared: Model<Own, Rows, ReadDb>): Model<Own, Rows, ReadDb> {
  return declared;
}

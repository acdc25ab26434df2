import type { Model, ModelRows } from '../engine/model.ts';
import type { ReadDb } from './tables.ts';

/** Declares a read model, and checks that it fits the tables of the read models' database. */
export function model<Own extends ModelRows, Rows>(declared: Model<Own, Rows, ReadDb>): Model<Own, Rows, ReadDb> {
  return declared;
}

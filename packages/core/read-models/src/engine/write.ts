import { CopiedRows, Pipeline, PipelineError } from '@paper/pg-bulk';
import type { PipelinedStatement } from '@paper/pg-bulk';
import { CompiledQuery } from 'kysely';
import type { Kysely } from 'kysely';
import type { Statement } from './plan.ts';

type Sender = Pick<Kysely<unknown>, 'executeQuery'>;

/** A statement did not find all the rows that it must change; nothing of the transaction is written. */
export class RowsMissing extends Error {
  override readonly name = 'RowsMissing';

  /** The table alone: a statement would keep the rows' values with the error, and show them where it is printed. */
  readonly table: string;

  constructor({ rows, table }: Statement) {
    super(`${rows} rows of ${table} should change, and not all of them are there`);
    this.table = table;
  }
}

/** Runs a plan, one statement after the other. @throws RowsMissing; errors of the database. */
export async function writePlan(trx: Sender, plan: readonly Statement[]): Promise<void> {
  for (const statement of plan) {
    const { text, values, rows } = statement;
    const parameters = values instanceof CopiedRows ? [values] : values;
    const { numAffectedRows } = await trx.executeQuery(CompiledQuery.raw(text, [...parameters]));
    if (rows !== null && numAffectedRows !== BigInt(rows)) throw new RowsMissing(statement);
  }
}

/** The most rows in one round trip; some 700 orders change so many. Larger statements are planned for their size. */
const PIPELINED_ROWS_MAX = 2500;

/** Whether a plan is small enough for `writeAtOnce`. */
export function isSmall(plan: readonly Statement[]): boolean {
  let rows = 0;
  for (const { sent } of plan) rows += sent;
  return rows <= PIPELINED_ROWS_MAX;
}

/** SQLSTATE of `division_by_zero`, with which a statement of `writeAtOnce` fails when a row is missing. */
const DIVISION_BY_ZERO = '22012';

/**
 * Writes a small plan as one transaction in one round trip, with statements that each connection prepares once.
 * @throws RowsMissing; errors of the database, after which nothing is written unless the connection broke.
 */
export async function writeAtOnce(db: Sender, plan: readonly Statement[]): Promise<void> {
  try {
    await db.executeQuery(CompiledQuery.raw('', [new Pipeline(plan.map(guarded))]));
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    const failed = plan[error.index];
    const isGuard = 'code' in error.cause && error.cause.code === DIVISION_BY_ZERO;
    throw isGuard && failed !== undefined ? new RowsMissing(failed) : error.cause;
  }
}

/** Makes the statement fail if it changes fewer or more rows than it must, since the commit is sent along with it. */
function guarded({ text, values, rows }: Statement): PipelinedStatement {
  if (rows === null || values instanceof CopiedRows) return { text, values };
  return {
    text: `with changed as (${text} returning 1) select 1 / (count(*) = $${values.length + 1}::int8)::int from changed`,
    values: [...values, String(rows)],
  };
}

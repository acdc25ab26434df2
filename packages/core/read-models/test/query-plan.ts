import { CompiledQuery, sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import pg from 'pg';
import type { ReadDb } from '../src/models/tables.ts';

export type Query = (db: ReadDb) => Promise<unknown>;

/** A step of an EXPLAIN plan; its rows are the average of a loop. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The statements that a query sends, as they are sent. */
export async function statementsOf(db: ReadDb, schema: string, query: Query): Promise<readonly CompiledQuery[]> {
  const compiled: CompiledQuery[] = [];
  const listen: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      compiled.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await query(db.withPlugin(listen).withSchema(schema));
  return compiled;
}

/** The plan that a statement is run by, with its values. */
export async function planOf(db: ReadDb, { parameters, sql: text }: CompiledQuery): Promise<PlanNode> {
  return explained(db, CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters]));
}

/** The plan that Postgres makes once for all values of a prepared statement. The pool has one connection. */
export async function genericPlanOf(db: ReadDb, { parameters, sql: text }: CompiledQuery): Promise<PlanNode> {
  const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
  await sql`set plan_cache_mode = force_generic_plan`.execute(db);
  await db.executeQuery(CompiledQuery.raw(`prepare statement as ${text}`));
  const plan = await explained(db, CompiledQuery.raw(`explain (analyze, format json) execute statement${values}`));
  await db.executeQuery(CompiledQuery.raw('deallocate statement'));
  return plan;
}

/** Rows that the scans of a plan have looked at, discarded ones included. */
export function rowsRead(plan: PlanNode): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const children = (plan.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  return children + (plan['Relation Name'] === undefined ? 0 : own * plan['Actual Loops']);
}

/** The types of all steps of a plan, such as `Index Scan`. */
export function stepsOf(plan: PlanNode): readonly string[] {
  return [plan['Node Type'], ...(plan.Plans ?? []).flatMap(stepsOf)];
}

async function explained(db: ReadDb, explain: CompiledQuery): Promise<PlanNode> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(explain);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

/** A parameter as Postgres reads it in a statement's text. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  return value === null ? 'null' : pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

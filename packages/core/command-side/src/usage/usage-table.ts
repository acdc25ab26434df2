import { TextColumn, textsOf } from '@paper/exchange/snapshot';
import type { Table, Texts } from '@paper/exchange/snapshot';
import { FleetUsage } from './fleet-usage.ts';

/** The last table of a stored snapshot: a row for each fleet and UTC day, in the order of the days. */
export type UsageTable = Table<
  'usage',
  {
    readonly primaryAccountId: Texts;
    readonly day: Float64Array;
    readonly commands: Float64Array;
    readonly events: Float64Array;
    readonly bytes: Float64Array;
  }
>;

export function usageTable(usage: FleetUsage): UsageTable {
  const rows = [...usage.rows()];
  const numbers = (name: 'day' | 'commands' | 'events' | 'bytes') => new Float64Array(rows.map((row) => row[name]));
  return {
    kind: 'usage',
    rows: rows.length,
    columns: {
      primaryAccountId: textsOf(rows.map(({ primaryAccountId }) => primaryAccountId)),
      day: numbers('day'),
      commands: numbers('commands'),
      events: numbers('events'),
      bytes: numbers('bytes'),
    },
  };
}

/** Restores the counts from the table. @throws Error when a column ends early. */
export function usageOf({ columns, rows }: UsageTable): FleetUsage {
  const ids = new TextColumn(columns.primaryAccountId);
  const at = (column: Float64Array, row: number): number => {
    const value = column[row];
    if (value === undefined) throw new Error(`a column of the usage ends before row ${row}`);
    return value;
  };
  return FleetUsage.of(
    Array.from({ length: rows }, (_, row) => ({
      primaryAccountId: ids.at(row),
      day: at(columns.day, row),
      commands: at(columns.commands, row),
      events: at(columns.events, row),
      bytes: at(columns.bytes, row),
    })),
  );
}

import type { ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { Row } from '../../engine/table.ts';
import { model } from '../model.ts';
import { SETTINGS } from './table.ts';

export class Settings implements ModelRows {
  /** The settings of the last epoch in the batch; null if no epoch starts in it. */
  #row: Row<typeof SETTINGS> | null = null;

  set(row: Omit<Row<typeof SETTINGS>, 'name'>): void {
    this.#row = { name: 'main', ...row };
  }

  planChanged(plan: Plan): void {
    plan.put(SETTINGS, this.#row === null ? [] : [this.#row]);
    this.#row = null;
  }
}

export const settings = model<Settings, { readonly settings: Settings }>({
  tables: [SETTINGS],
  create: () => new Settings(),
  on: {
    WriterEpochStarted: ({ settings: { complianceMode, startingBalanceUnits } }, _at, rows) =>
      rows.settings.set({ compliance_mode: complianceMode, starting_balance_units: startingBalanceUnits }),
  },
});

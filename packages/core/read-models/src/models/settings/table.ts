import type { ComplianceMode } from '@paper/exchange/vocabulary';
import { int8, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';

/** The settings of the exchange, in a single row named `main`. */
export const SETTINGS = table(
  'settings',
  { name: text(), starting_balance_units: int8, compliance_mode: text<ComplianceMode>() },
  ['name'],
);

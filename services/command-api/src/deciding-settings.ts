import type { AcceptedClock, DayLimit } from '@paper/command-side';
import { apiSetting } from '@paper/http';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Settings } from '@paper/exchange/commands';
import { described, setting } from '@paper/runtime';

/** Settings of every process that decides commands, by the names of their variables. */
export const decidingSettings = {
  STARTING_BALANCE: described(setting.startingBalance.default(10_000), 'dollars of a new account'),
  COMPLIANCE_MODE: described(
    apiSetting.complianceMode.default('paper'),
    'kyc: orders only of accounts that the operator approved',
  ),
  IDEMPOTENCY_ENTRIES: described(
    setting.wholeNumber(1, 100_000_000).default(DEFAULT_SETTINGS.idempotencyEntries),
    'Idempotency-Keys that are remembered, 0.7 KB of memory each',
  ),
  DAY_COMMANDS: described(
    setting.wholeNumber(1, 1_000_000_000_000).default(1_000_000),
    'commands that a fleet may append a UTC day; without end where RATE_LIMITS is off',
  ),
  ACCEPT_CLOCK: described(
    setting.acceptClock.default('off'),
    'on: begin to decide although the clock is far from the journal or the database; journal: from the journal alone',
  ),
  SNAPSHOT_EVERY: described(
    setting.snapshotEvery.default(100_000),
    'events from one snapshot to the next; 0: none is taken',
  ),
};

interface DecidingConfig {
  readonly ACCEPT_CLOCK: AcceptedClock;
  readonly COMPLIANCE_MODE: Settings['complianceMode'];
  readonly DAY_COMMANDS: number;
  readonly IDEMPOTENCY_ENTRIES: number;
  readonly RATE_LIMITS: object | null;
  readonly STARTING_BALANCE: number;
}

/** Turns the settings into options of the command side. `isExempt`: whether this primary account has no day limit. */
export function decidingOptions(config: DecidingConfig, isExempt: DayLimit['isExempt'] = () => false) {
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    complianceMode: config.COMPLIANCE_MODE,
    idempotencyEntries: config.IDEMPOTENCY_ENTRIES,
    startingBalanceUnits: config.STARTING_BALANCE * 10_000,
  };
  const dayLimit: DayLimit | null = config.RATE_LIMITS === null ? null : { commands: config.DAY_COMMANDS, isExempt };
  return { acceptClock: config.ACCEPT_CLOCK, dayLimit, settings };
}

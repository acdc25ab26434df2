import { RateLimited } from '@paper/contracts';
import type { State } from '@paper/exchange';
import type { Command, CommandType } from '@paper/exchange/commands';
import { dayOf, fleetIn, startOfDay } from './fleet-usage.ts';
import type { FleetUsage } from './fleet-usage.ts';

/**
 * The number of commands that the keys of a fleet (a primary account with its sub-accounts) may append on a UTC day
 * (http-rules, Rate limits).
 */
export interface DayLimit {
  readonly commands: number;
  /** Whether the limit does not apply to this primary account's fleet, such as the demo's invented traders. */
  readonly isExempt: (primaryAccountId: string) => boolean;
}

/** Commands that lower a fleet's risk. They count, but are never refused. */
const NEVER_REFUSED: ReadonlySet<CommandType> = new Set<CommandType>([
  'CancelOrder',
  'CancelOrders',
  'RevokeApiKey',
  'SetDeadManSwitch',
]);

interface Counted {
  readonly state: State;
  readonly usage: FleetUsage;
}

/** The refusal of `count` commands that would append at `at`, if their fleet's day has no room for all; or null. */
export function dayRefusal(
  { commands, isExempt }: DayLimit,
  { state, usage }: Counted,
  command: Pick<Command, 'by' | 'type'>,
  at: number,
  count = 1,
): RateLimited | null {
  const fleet = fleetIn(state, command);
  if (fleet === null || NEVER_REFUSED.has(command.type) || isExempt(fleet)) return null;
  const left = Math.max(0, commands - usage.commands(fleet, at));
  if (count <= left) return null;
  const seconds = Math.ceil((startOfDay(dayOf(at) + 1) - at) / 1_000);
  return new RateLimited(
    `This fleet may send ${commands} commands a UTC day, and ${left} are left today` +
      (count === 1 ? '' : `; this batch has ${count}`) +
      `: try again in ${seconds} s, or cancel orders, set dead-man switches and revoke keys, which is always possible`,
    seconds,
  );
}

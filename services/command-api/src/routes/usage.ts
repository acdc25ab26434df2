import { Refused } from '@paper/contracts';
import type { endpoints, Handler } from '@paper/contracts';
import { dayOf, startOfDay, USAGE_DAYS } from '@paper/command-side';
import type { CommandGateway } from '../command-gateway.ts';

/** What each fleet (a primary account with its sub-accounts) appended on a day, once the read models have it all. */
export function getUsage(gateway: CommandGateway, now: () => number): Handler<typeof endpoints.getUsage> {
  return async (_caller, { query }) => {
    const today = dayOf(Math.max(now(), gateway.state().lastAt));
    const day = query.day === undefined ? today : dayOf(Date.parse(query.day));
    const first = today - USAGE_DAYS + 1;
    if (day < first || day > today) {
      throw new Refused(
        'validation_failed',
        `validation failure: day: must be from ${textOf(first)} to ${textOf(today)}`,
      );
    }
    const { seq } = gateway.state();
    const fleets = gateway.usage().most(day);
    await gateway.readModel.fresh(seq);
    return { body: { day: textOf(day), fleets: [...fleets] }, seq };
  };
}

function textOf(day: number): string {
  return new Date(startOfDay(day)).toISOString().slice(0, 10);
}

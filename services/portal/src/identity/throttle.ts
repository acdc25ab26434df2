import { ApiError } from '@paper/contracts';
import { sql } from 'kysely';
import type { Vault } from '../base/vault.ts';
import type { PortalDatabase } from '../base/database.ts';

/** A limit on the events of a subject within some minutes. */
export interface ThrottleLimit {
  /** The name of the count; each limit has its own. */
  readonly kind: string;
  readonly events: number;
  readonly minutes: number;
  /** The message when the limit is reached: "Too many …". */
  readonly message: string;
}

/** The longest window of any limit. */
const KEPT_MINUTES = 24 * 60;

const NOW_MINUTE = sql<number>`floor(extract(epoch from now()) / 60)::bigint`;

/** Counts events by kind and subject (a keyed digest), such as wrong passwords by address, for all portals. */
export class Throttle {
  constructor(
    private readonly db: PortalDatabase,
    private readonly vault: Pick<Vault, 'digest'>,
  ) {}

  /** Counts one event, and returns the number in the window with this one; exact even for concurrent events. */
  async count({ kind, minutes }: Pick<ThrottleLimit, 'kind' | 'minutes'>, subject: string): Promise<number> {
    const digest = this.vault.digest(subject);
    const { rows } = await sql<{ events: number }>`
      with counted as (
        insert into portal.throttle as t (kind, subject, minute, events) values (${kind}, ${digest}, ${NOW_MINUTE}, 1)
        on conflict (kind, subject, minute) do update set events = t.events + 1
        returning events, minute
      )
      select (counted.events + coalesce((
        select sum(older.events) from portal.throttle older
        where older.kind = ${kind} and older.subject = ${digest}
          and older.minute > counted.minute - ${minutes}::bigint and older.minute < counted.minute), 0))::integer as events
      from counted`.execute(this.db);
    return rows[0]?.events ?? 0;
  }

  /** Counts one event, unless the limit is reached. @throws ApiError rate_limited with Retry-After. */
  async take(limit: ThrottleLimit, subject: string): Promise<void> {
    if ((await this.count(limit, subject)) <= limit.events) return;
    await this.giveBack(limit, subject);
    const seconds = await this.#secondsUntilFree(limit, subject);
    throw new ApiError('rate_limited', `${limit.message}: try again in ${inWords(seconds)}`, undefined, {
      'retry-after': String(seconds),
    });
  }

  /** Removes one event of the last minutes, which turned out not to count, and its row if no event is left. */
  async giveBack({ kind }: Pick<ThrottleLimit, 'kind'>, subject: string): Promise<void> {
    const digest = this.vault.digest(subject);
    // The lock reads the newest count. Of a row that was just deleted, it goes on to the minute before.
    await sql`
      merge into portal.throttle counted using (
        select minute, events from portal.throttle where kind = ${kind} and subject = ${digest} and events > 0
        order by minute desc limit 1 for update
      ) newest on counted.kind = ${kind} and counted.subject = ${digest} and counted.minute = newest.minute
      when matched and newest.events = 1 then delete
      when matched then update set events = newest.events - 1
    `.execute(this.db);
  }

  async sweep(): Promise<void> {
    await sql`delete from portal.throttle where minute < ${NOW_MINUTE} - ${KEPT_MINUTES}::bigint`.execute(this.db);
  }

  /** The seconds until the oldest counted event leaves the window. */
  async #secondsUntilFree({ kind, minutes }: ThrottleLimit, subject: string): Promise<number> {
    const digest = this.vault.digest(subject);
    const { rows } = await sql<{ seconds: number }>`
      select ceil((min(minute) + ${minutes}::bigint) * 60 - extract(epoch from now()))::integer as seconds
      from portal.throttle where kind = ${kind} and subject = ${digest} and events > 0
        and minute > ${NOW_MINUTE} - ${minutes}::bigint`.execute(this.db);
    return Math.max(1, rows[0]?.seconds ?? 1);
  }
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) return 'a minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

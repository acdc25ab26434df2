import type { ServiceProcess } from '@paper/runtime';
import { inCoordination } from '@paper/runtime/coordination';
import { every, systemClock } from '@paper/timing';

/** The time between two writes of noted uses: so long a use may be unseen, and be lost by a process that is killed. */
export const NOTING_MS = 60_000;

const DAY_MS = 86_400_000;

/** Keys that a process holds as seen; with more, some rows are written again, which changes nothing. */
const SEEN_MAX = 100_000;

// Clocks of processes differ: a day never goes back.
const NOTE = `
  insert into coordination.key_uses as noted (key_id, account_id, used_on)
  select * from unnest($1::text[], $2::text[], $3::date[])
  on conflict (key_id) do update set used_on = excluded.used_on where noted.used_on < excluded.used_on`;

/** The key of a request, and the account that the key is for. */
export interface UsedKey {
  readonly keyId: string;
  readonly accountId: string;
}

/**
 * Notes on which UTC day each key was last used. A request costs one look into a set: what is new is written once a
 * minute, beside all requests, and waits for the next minute where that fails.
 */
export class KeyUses {
  #day = 0;
  /** The keys that were noted on this day. */
  #seen = new Set<string>();
  /** What is not written yet, by the key's id. */
  #fresh = new Map<string, { readonly accountId: string; readonly usedOn: string }>();

  constructor(
    private readonly connectionString: string,
    private readonly now: () => number = Date.now,
  ) {}

  readonly note = ({ keyId, accountId }: UsedKey): void => {
    const day = Math.floor(this.now() / DAY_MS);
    if (day !== this.#day || this.#seen.size >= SEEN_MAX) this.#seen = new Set();
    this.#day = day;
    if (this.#seen.has(keyId)) return;
    this.#seen.add(keyId);
    this.#fresh.set(keyId, { accountId, usedOn: new Date(day * DAY_MS).toISOString().slice(0, 10) });
  };

  /** Writes what is new. @throws where the database cannot be reached, or the role may not write the table. */
  async write(): Promise<void> {
    const fresh = this.#fresh;
    if (fresh.size === 0) return;
    this.#fresh = new Map();
    const uses = [...fresh.values()];
    const columns = [[...fresh.keys()], uses.map(({ accountId }) => accountId), uses.map(({ usedOn }) => usedOn)];
    try {
      await inCoordination(this.connectionString, 'this role may not note when keys were used', (client) =>
        client.query(NOTE, columns),
      );
    } catch (error) {
      this.#fresh = new Map([...fresh, ...this.#fresh]);
      throw error;
    }
  }
}

/** Notes the uses of keys until the process stops, the last ones then. Gives what each admitted request calls. */
export async function noteKeyUses(
  connectionString: string,
  { logger, teardown }: Pick<ServiceProcess, 'logger' | 'teardown'>,
): Promise<KeyUses['note']> {
  const uses = new KeyUses(connectionString);
  const write = (): Promise<void> =>
    uses.write().catch((error: unknown) => logger.warn({ err: error }, 'uses of keys could not be noted yet'));
  const stop = every(NOTING_MS, () => void write(), systemClock);
  await teardown.add('uses of keys', () => {
    stop();
    return write();
  });
  return uses.note;
}

import type { ServiceProcess } from '@paper/runtime';
import { inCoordination } from '@paper/runtime/coordination';
import { every, systemClock } from '@paper/timing';

/** How often uses are written. A use may be invisible for this long, and is lost if the process is killed before. */
export const NOTING_MS = 60_000;
const DAY_MS = 86_400_000;

/** The most keys in memory. Beyond it some rows are written again on the same day, which changes nothing. */
const SEEN_MAX = 100_000;

// Keeps the later of two days, since clocks of processes differ.
const NOTE = `
  insert into coordination.key_uses as noted (key_id, account_id, used_on)
  select * from unnest($1::text[], $2::text[], $3::date[])
  on conflict (key_id) do update set used_on = excluded.used_on where noted.used_on < excluded.used_on`;

/**
 * Records the UTC day on which each key was last used. A request costs one look into a set; uses are written once a
 * minute, and if that fails, with the next ones.
 */
export class KeyUses {
  #day = 0;
  #seen = new Set<string>();
  #fresh = new Map<string, { readonly accountId: string; readonly usedOn: string }>();

  constructor(
    private readonly connectionString: string,
    private readonly now: () => number = Date.now,
  ) {}

  readonly note = ({ keyId, accountId }: Readonly<Record<'accountId' | 'keyId', string>>): void => {
    const day = Math.floor(this.now() / DAY_MS);
    if (day !== this.#day || this.#seen.size >= SEEN_MAX) this.#seen = new Set();
    this.#day = day;
    if (this.#seen.has(keyId)) return;
    this.#seen.add(keyId);
    this.#fresh.set(keyId, { accountId, usedOn: new Date(day * DAY_MS).toISOString().slice(0, 10) });
  };

  /** Writes the new uses. @throws when the database cannot be reached, or the role may not write the table. */
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

/** Records the uses of keys until the process stops. Resolves to the function that each admitted request calls. */
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

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UUID } from '../../events/formats/values.ts';
import { Fault } from '../../journal/fault.ts';
import type { Finding } from '../../journal/fault.ts';
import { checkRelations } from '../../journal/relations.ts';
import type { KnownRelations } from '../../journal/relations.ts';
import { UuidTable } from '../ids/uuid-table.ts';
import type { AccountFacts, OpenedAccount } from './account-facts.ts';

const COORDINATION: KnownRelations = { key_uses: 'table', leases: 'table', names: 'table', secrets: 'table' };

const NAMES_PER_QUERY = 2_000;
const ROWS_PER_FETCH = 20_000;
const FINDINGS_MAX = 10;

/** Postgres's codes for a missing table, column or function. */
const UNREADABLE = new Set(['42P01', '42703', '42883']);

/** How long a name may stay pending once its account is open: the writer settles it at once, or within two sweeps. */
const SETTLED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 250;

interface NameRow {
  readonly account_id: string;
  /** The digest in the event that gives the name; empty for the name of the account's opening. */
  readonly key: string;
  readonly shard: string;
  readonly pending: boolean;
  /** Null if the salt or the name is NULL. */
  readonly digest: string | null;
}

interface GivenName extends Pick<OpenedAccount, 'accountId' | 'at' | 'event' | 'nameDigest' | 'seq'> {
  readonly key: string;
}

const textOf = (accountId: string, key: string): string => `${accountId} ${key}`;

type NameFinding = Pick<Finding, 'event' | 'found' | 'seq'>;

/**
 * Compares the table of display names with the digests in the journal. A name is stored before its event and marked
 * settled after it, so every event has its row, and a settled row that was read before the journal's end has its event.
 * Pending rows without an event may be of a command in progress; those with one are read again until they must be
 * settled. Names are deleted only after the event that orders it, so missing ones are judged at the end.
 */
export class DisplayNames {
  readonly #accounts = new UuidTable(true);
  readonly #renames = new Set<string>();
  readonly #waiting: GivenName[] = [];
  readonly #missing: GivenName[] = [];
  readonly #forgotten = new Map<string, number>();
  readonly #unsettled = new Map<string, GivenName>();
  readonly #findings: NameFinding[] = [];
  #count = 0;
  #compared = 0;

  private constructor(
    /** Keeps the snapshot of its opening. */
    private readonly former: pg.Client,
    private readonly current: pg.Client,
    private readonly shard: string,
    private readonly isThere: boolean,
    /** An older build's table, not upgraded yet, has only first names. */
    private readonly key: 'digest' | "''",
  ) {}

  /** Call this before the journal's end is read. @throws errors of the database. */
  static async open(connectionString: string, shard: string): Promise<DisplayNames> {
    const former = new pg.Client({ connectionString });
    const current = new pg.Client({ connectionString, options: '-c default_transaction_read_only=on' });
    // A connection that breaks also fails its query, where the error is handled.
    for (const client of [former, current]) client.on('error', () => undefined);
    try {
      await former.connect();
      await current.connect();
      await former.query('begin isolation level repeatable read read only');
      const { rows } = await former.query<{ column: string }>(
        `select attname as column from pg_attribute where attrelid = to_regclass('coordination.names') and attnum > 0`,
      );
      const key = rows.length === 0 || rows.some(({ column }) => column === 'digest') ? 'digest' : "''";
      return new DisplayNames(former, current, shard, rows.length > 0, key);
    } catch (error) {
      await Promise.allSettled([former.end(), current.end()]);
      throw error;
    }
  }

  get compared(): number {
    return this.#compared;
  }

  /** Compares the names of accounts once a query is worthwhile, and notes the forgotten ones. */
  async expect({ forgotten, opened, renamed }: AccountFacts): Promise<void> {
    for (const { accountId, seq } of forgotten) this.#forgotten.set(accountId, seq);
    for (const account of opened) {
      this.#accounts.add(account.accountId, account.seq);
      this.#waiting.push({ ...account, key: '' });
    }
    for (const account of renamed) {
      this.#renames.add(textOf(account.accountId, account.nameDigest));
      this.#waiting.push({ ...account, key: account.nameDigest });
    }
    while (this.#waiting.length >= NAMES_PER_QUERY) await this.#compareNext();
  }

  /**
   * Compares the remaining names, then looks for rows without an account.
   * @throws Fault with the first findings; errors of the database.
   */
  async finish(end: number): Promise<void> {
    while (this.#waiting.length > 0) await this.#compareNext();
    this.#judgeMissing();
    await this.#judgeUnsettled();
    await this.#findUnforgotten();
    if (this.isThere) await this.#findNamesWithoutAccount(end);
    this.#findings.sort((a, b) => a.seq - b.seq);
    const [first] = this.#findings;
    if (first !== undefined) {
      const more = this.#count - this.#findings.length;
      const found = this.#findings.map((finding) => finding.found).join('; ') + (more > 0 ? `; and ${more} more` : '');
      const where = this.isThere ? '' : 'there is no table coordination.names: ';
      const due =
        'in coordination.names one settled row of each account whose name was not forgotten, and of each change of its name, of the text whose digest its event has, and no others';
      throw new Fault('names', first.seq, first.event, where + found, due);
    }
    await checkRelations(this.former, 'coordination', COORDINATION, end);
  }

  async close(): Promise<void> {
    await Promise.all([this.former.end(), this.current.end()]);
  }

  async #compareNext(): Promise<void> {
    const names = this.#waiting.splice(0, NAMES_PER_QUERY);
    const found = new Map<string, NameRow[]>();
    for (const row of await this.#find(names)) {
      const text = textOf(row.account_id, row.key);
      found.set(text, [...(found.get(text) ?? []), row]);
    }
    for (const name of names) {
      const text = textOf(name.accountId, name.key);
      const rows = found.get(text) ?? [];
      if (name.nameDigest !== null && rows.length === 0) {
        this.#missing.push(name);
        continue;
      }
      const wrong = this.#faultOf(name, rows);
      if (wrong !== null) this.#note({ ...name, found: wrong });
      else if (rows[0]?.pending === true) this.#unsettled.set(text, name);
    }
    this.#compared += names.filter(({ key }) => key === '').length;
  }

  async #find(accounts: readonly Pick<OpenedAccount, 'accountId' | 'seq'>[]): Promise<readonly NameRow[]> {
    if (!this.isThere) return [];
    const ids = accounts.map(({ accountId }) => accountId);
    // The database computes the digests, so that no name leaves it.
    const query = this.current.query<NameRow>(
      `select account_id, ${this.key} as key, shard, pending,
         encode(sha256(salt || convert_to(name, 'UTF8')), 'hex') as digest
       from coordination.names where account_id = any($1)`,
      [ids],
    );
    const { rows } = await this.#unlessUnreadable(query, accounts[0]?.seq ?? 1);
    return rows;
  }

  #faultOf({ accountId, nameDigest, seq }: GivenName, [row, second]: readonly NameRow[]): string | null {
    if (row === undefined) return null;
    const account = `account ${accountId} (sequence ${seq})`;
    if (nameDigest === null) return `${account} has a name beside the one in its event`;
    if (second !== undefined) return `${account} has several names`;
    if (row.shard !== this.shard) return `the name of ${account} is of shard ${row.shard}`;
    if (row.digest === nameDigest) return null;
    return `the name of ${account} has the digest ${row.digest ?? 'NULL'}, and not ${nameDigest} as in its event`;
  }

  #judgeMissing(): void {
    for (const name of this.#missing) {
      if (this.#forgotten.has(name.accountId)) continue;
      this.#note({ ...name, found: `account ${name.accountId} (sequence ${name.seq}) has no name` });
    }
  }

  /** Reports the names that stay pending, although their events are old enough. */
  async #judgeUnsettled(): Promise<void> {
    const begunMs = Date.now();
    for (;;) {
      const pending: GivenName[] = [];
      for (const names of chunksOf([...this.#unsettled.values()])) {
        const rows = (await this.#find(names)).filter((row) => row.pending);
        const found = new Set(rows.map((row) => textOf(row.account_id, row.key)));
        pending.push(...names.filter(({ accountId, key }) => found.has(textOf(accountId, key))));
      }
      const sinceMs = Date.now() - SETTLED_WITHIN_MS;
      // An event whose time is ahead of this clock is not waited for any longer than others.
      if (pending.every(({ at }) => Math.min(at, begunMs) <= sinceMs)) {
        for (const name of pending) {
          const found = `the name of account ${name.accountId} (sequence ${name.seq}) is pending, although it is open`;
          this.#note({ ...name, found });
        }
        return;
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Finds names that are still stored, although an event before the audit had them deleted. */
  async #findUnforgotten(): Promise<void> {
    const forgotten = Array.from(this.#forgotten, ([accountId, seq]) => ({ accountId, seq }));
    for (const accounts of chunksOf(forgotten)) {
      for (const { account_id: id } of await this.#find(accounts)) {
        const seq = this.#forgotten.get(id) ?? 1;
        this.#note({ event: null, found: `account ${id} has a name that was forgotten at sequence ${seq}`, seq });
      }
    }
  }

  async #findNamesWithoutAccount(end: number): Promise<void> {
    const declared = this.former.query(
      `declare names no scroll cursor for
         select account_id, ${this.key} from coordination.names where shard = $1 and not pending`,
      [this.shard],
    );
    await this.#unlessUnreadable(declared, end);
    for (;;) {
      const { rows } = await this.former.query<[id: string, key: string]>({
        rowMode: 'array',
        text: `fetch ${ROWS_PER_FETCH} from names`,
      });
      for (const [id, key] of rows) {
        const isOpen = UUID.test(id) && this.#accounts.find(id) !== null;
        if (isOpen && (key === '' || this.#renames.has(textOf(id, key)))) continue;
        const found = isOpen
          ? `account ${id} has a name with the digest ${key}, which no event gives it`
          : `account ${id} has a name, and was never opened`;
        this.#note({ event: null, found, seq: end });
      }
      if (rows.length < ROWS_PER_FETCH) return;
    }
  }

  #note({ event, found, seq }: NameFinding): void {
    this.#count += 1;
    if (this.#findings.length < FINDINGS_MAX) this.#findings.push({ event, found, seq });
  }

  async #unlessUnreadable<T>(query: Promise<T>, seq: number): Promise<T> {
    try {
      return await query;
    } catch (error) {
      if (!UNREADABLE.has(String((error as { code?: unknown }).code))) throw error;
      const found = `coordination.names cannot be read: ${(error as Error).message}`;
      throw new Fault('names', seq, null, found, 'the table of display names as the services made it');
    }
  }
}

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += NAMES_PER_QUERY) yield all.slice(from, from + NAMES_PER_QUERY);
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UUID } from '../../events/formats/values.ts';
import { Fault } from '../../journal/fault.ts';
import type { FaultyEvent } from '../../journal/fault.ts';
import { checkRelations } from '../../journal/relations.ts';
import type { KnownRelations } from '../../journal/relations.ts';
import { UuidTable } from '../ids/uuid-table.ts';
import type { ForgottenAccount, OpenedAccount } from './opened-account.ts';

/** The tables and views of the schema that the services share. */
const COORDINATION: KnownRelations = { leases: 'table', names: 'table', secrets: 'table' };

/** Accounts whose names are looked up in one query. */
const LOOKUP = 2_000;

/** Rows read at a time to find those without an account. */
const FETCH = 20_000;

/** Findings listed in one fault. */
const NAMED = 10;

/** Error codes of Postgres for a missing table, column or function. */
const UNREADABLE = new Set(['42P01', '42703', '42883']);

/**
 * A name is marked settled at once when its account is open. Where that fails, the writer does it within two sweeps (ms),
 * or the next one when it starts.
 */
const SETTLED_WITHIN_MS = 20_000;

/** Time between two looks at names that are not settled yet. */
const LOOK_EVERY_MS = 250;

/** The database computes the digests, so that no name leaves it. */
const FIND = `
  select account_id, shard, pending, encode(sha256(salt || convert_to(name, 'UTF8')), 'hex') as digest
  from coordination.names where account_id = any($1)`;

interface NameRow {
  readonly account_id: string;
  readonly shard: string;
  readonly pending: boolean;
  /** Null where the salt or the name is NULL. */
  readonly digest: string | null;
}

interface Finding {
  readonly found: string;
  readonly seq: number;
  readonly event: FaultyEvent | null;
}

/**
 * Compares the table of display names with the digests in the journal. A name is stored before its account is opened,
 * so every account in the journal has its row at any later time. A name is marked settled after its account was opened,
 * so a settled row that is read before the journal's end has its account before that end. Pending rows without an
 * account are ignored: their command may be under way. Those of open accounts are looked at again until they must have
 * been settled. A name is deleted only after the event that orders its deletion,
 * so missing names are judged after all events.
 */
export class DisplayNames {
  readonly #accounts = new UuidTable(true);
  readonly #waiting: OpenedAccount[] = [];
  /** Accounts that had no name when they were compared, and accounts whose names were forgotten, each by id. */
  readonly #nameless = new Map<string, OpenedAccount>();
  readonly #forgotten = new Map<string, number>();
  /** Accounts whose names were pending when they were compared, by id. */
  readonly #unsettled = new Map<string, OpenedAccount>();
  readonly #findings: Finding[] = [];
  #count = 0;
  #compared = 0;

  private constructor(
    /** A connection in a transaction whose snapshot was taken when it was opened. */
    private readonly former: pg.Client,
    private readonly current: pg.Client,
    private readonly shard: string,
    private readonly isThere: boolean,
  ) {}

  /**
   * Opens the table in the database at that address; call it before reading the journal's end.
   * @throws errors of the database.
   */
  static async open(connectionString: string, shard: string): Promise<DisplayNames> {
    const former = new pg.Client({ connectionString });
    const current = new pg.Client({ connectionString, options: '-c default_transaction_read_only=on' });
    // A connection that breaks also fails its query, where the error is handled.
    for (const client of [former, current]) client.on('error', () => undefined);
    try {
      await former.connect();
      await current.connect();
      await former.query('begin isolation level repeatable read read only');
      const { rows } = await former.query<{ there: boolean }>(
        `select to_regclass('coordination.names') is not null as there`,
      );
      return new DisplayNames(former, current, shard, rows[0]?.there === true);
    } catch (error) {
      await Promise.allSettled([former.end(), current.end()]);
      throw error;
    }
  }

  /** The number of compared accounts. */
  get compared(): number {
    return this.#compared;
  }

  /**
   * Compares the names of accounts, collecting them until a query is worthwhile, and notes which were forgotten.
   * @throws errors of the database.
   */
  async expect(opened: readonly OpenedAccount[], forgotten: readonly ForgottenAccount[]): Promise<void> {
    for (const { accountId, seq } of forgotten) this.#forgotten.set(accountId, seq);
    for (const account of opened) {
      this.#accounts.add(account.accountId, account.seq);
      this.#waiting.push(account);
    }
    while (this.#waiting.length >= LOOKUP) await this.#compareNext();
  }

  /**
   * Compares the collected names, then looks for rows without an account.
   * @param end the last sequence that was judged
   * @throws Fault that names the first findings; errors of the database.
   */
  async finish(end: number): Promise<void> {
    while (this.#waiting.length > 0) await this.#compareNext();
    this.#judgeNameless();
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
        'in coordination.names one settled row of each account whose name was not forgotten, of the text whose digest its event has, and no others';
      throw new Fault('names', first.seq, first.event, where + found, due);
    }
    await checkRelations(this.former, 'coordination', COORDINATION, end);
  }

  async close(): Promise<void> {
    await Promise.all([this.former.end(), this.current.end()]);
  }

  async #compareNext(): Promise<void> {
    const accounts = this.#waiting.splice(0, LOOKUP);
    const found = new Map<string, NameRow[]>();
    for (const row of await this.#find(accounts)) {
      found.set(row.account_id, [...(found.get(row.account_id) ?? []), row]);
    }
    for (const account of accounts) {
      if (account.nameDigest !== null && !found.has(account.accountId)) {
        this.#nameless.set(account.accountId, account);
        continue;
      }
      const rows = found.get(account.accountId) ?? [];
      const wrong = this.#faultOf(account, rows);
      if (wrong !== null) this.#note({ ...account, found: wrong });
      else if (rows[0]?.pending === true) this.#unsettled.set(account.accountId, account);
    }
    this.#compared += accounts.length;
  }

  async #find(accounts: readonly Pick<OpenedAccount, 'accountId' | 'seq'>[]): Promise<readonly NameRow[]> {
    if (!this.isThere) return [];
    const ids = accounts.map(({ accountId }) => accountId);
    const { rows } = await this.#unlessUnreadable(this.current.query<NameRow>(FIND, [ids]), accounts[0]?.seq ?? 1);
    return rows;
  }

  /** The fault of an account's rows; null for none. */
  #faultOf({ accountId, nameDigest, seq }: OpenedAccount, [row, second]: readonly NameRow[]): string | null {
    if (row === undefined) return null;
    const account = `account ${accountId} (sequence ${seq})`;
    if (nameDigest === null) return `${account} has a name beside the one in its event`;
    if (second !== undefined) return `${account} has several names`;
    if (row.shard !== this.shard) return `the name of ${account} is of shard ${row.shard}`;
    if (row.digest === nameDigest) return null;
    return `the name of ${account} has the digest ${row.digest ?? 'NULL'}, and not ${nameDigest} as in its event`;
  }

  /** Notes the accounts without a name whose names were not forgotten. */
  #judgeNameless(): void {
    for (const account of this.#nameless.values()) {
      if (this.#forgotten.has(account.accountId)) continue;
      this.#note({ ...account, found: `account ${account.accountId} (sequence ${account.seq}) has no name` });
    }
  }

  /** Notes the open accounts whose names stay pending, although they were opened long enough ago. */
  async #judgeUnsettled(): Promise<void> {
    const begunMs = Date.now();
    for (;;) {
      const pending: OpenedAccount[] = [];
      for (const accounts of chunksOf([...this.#unsettled.values()])) {
        const found = new Set((await this.#find(accounts)).flatMap((row) => (row.pending ? row.account_id : [])));
        pending.push(...accounts.filter(({ accountId }) => found.has(accountId)));
      }
      const sinceMs = Date.now() - SETTLED_WITHIN_MS;
      // A time of the journal that is ahead of this clock is waited for no longer than others.
      if (pending.every(({ at }) => Math.min(at, begunMs) <= sinceMs)) {
        for (const account of pending) {
          const found = `the name of account ${account.accountId} (sequence ${account.seq}) is pending, although it is open`;
          this.#note({ ...account, found });
        }
        return;
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Looks again for names of forgotten accounts: they had been deleted before the audit, or should be by now. */
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
      'declare names no scroll cursor for select account_id from coordination.names where shard = $1 and not pending',
      [this.shard],
    );
    await this.#unlessUnreadable(declared, end);
    for (;;) {
      const { rows } = await this.former.query<[id: string]>({ rowMode: 'array', text: `fetch ${FETCH} from names` });
      for (const [id] of rows) {
        if (UUID.test(id) && this.#accounts.find(id) !== null) continue;
        this.#note({ event: null, found: `account ${id} has a name, and was never opened`, seq: end });
      }
      if (rows.length < FETCH) return;
    }
  }

  #note({ event, found, seq }: Finding): void {
    this.#count += 1;
    if (this.#findings.length < NAMED) this.#findings.push({ event, found, seq });
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

/** Parts of a list, each small enough for one query. */
function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += LOOKUP) yield all.slice(from, from + LOOKUP);
}

import { UUID } from '../../events/formats/values.ts';
import type { AuditableEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';
import { UuidTable } from './uuid-table.ts';

type IdName = 'accountId' | 'keyId' | 'orderId';

/** The id that each type of event creates. */
const GIVES: Readonly<Record<string, IdName>> = {
  AccountOpened: 'accountId',
  ApiKeyIssued: 'keyId',
  OrderPlaced: 'orderId',
  SubAccountOpened: 'accountId',
};

/** The ids of accounts, keys and orders, none of which may come again, even once the exchange has forgotten it. */
export class UsedIds {
  readonly #tables = {
    accountId: new UuidTable(true),
    keyHash: new UuidTable(true),
    keyId: new UuidTable(true),
    orderId: new UuidTable(true),
  };

  /** Other checks judge values that are not ids. @param keyHash null if it was withheld @throws Fault */
  next(stored: AuditableEvent, event: unknown, keyHash: string | null): void {
    const name = GIVES[stored.type];
    if (name === undefined) return;
    const id = (event as Readonly<Record<string, unknown>> | null)?.[name];
    if (typeof id === 'string' && UUID.test(id)) this.#use(stored, name, id);
    if (keyHash !== null) this.#use(stored, 'keyHash', keyHash);
  }

  #use(stored: AuditableEvent, name: IdName | 'keyHash', id: string): void {
    // 128 bits of a hash distinguish keys as well as a UUID does.
    const uuid = name === 'keyHash' ? id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5') : id;
    const before = this.#tables[name].add(uuid, stored.seq);
    if (before === null) return;
    const found = `its ${name} ${id} was given at sequence ${before} already`;
    throw new Fault('unique ids', stored.seq, stored, found, `a ${name} that is used once`);
  }
}

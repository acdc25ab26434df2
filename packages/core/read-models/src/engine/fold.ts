import type { EventType, ExchangeEvent } from '@paper/exchange/events';
import type { CommandlessEvent } from '@paper/journal';
import type { EventPosition, FoldSettings, Model, ModelRows } from './model.ts';
import { Plan } from './plan.ts';
import type { Statement } from './plan.ts';

/** The fields of a stored event that a fold needs. A number in `decisionEvents` marks the first event of a decision. */
export type FoldedEvent = Pick<CommandlessEvent, 'event' | 'formerName' | 'id' | 'keyId' | 'seq'> &
  Partial<Pick<CommandlessEvent, 'decisionEvents'>>;

type Handler = (event: ExchangeEvent, at: EventPosition) => void;

/** Models by name, in the order in which they are called. */
type Models<Rows, Db> = { readonly [N in keyof Rows]: Model<ModelRows, Rows, Db> };

/** The fold of events into models, with all that they keep in memory. It is discarded if an event cannot be written. */
export class Fold<Rows, Db> {
  readonly rows: Rows;
  readonly #models: readonly (readonly [ModelRows, Model<ModelRows, Rows, Db>])[];
  readonly #handlers = new Map<EventType, readonly Handler[]>();
  readonly #before: readonly Handler[];
  readonly #after: readonly Handler[];
  readonly #writes: FoldSettings['writes'];
  /** The key that sent the current decision's command, as its first event says; null if no key did. */
  #keyId: string | null = null;

  constructor(models: Models<Rows, Db>, settings: FoldSettings) {
    const rows: Partial<Record<keyof Rows, ModelRows>> = {};
    const names = Object.keys(models) as (keyof Rows)[];
    this.rows = rows as Rows;
    this.#models = names.map((name) => {
      const model = models[name];
      return [(rows[name] = model.create(this.rows, settings)), model];
    });
    this.#writes = settings.writes;
    this.#before = this.#models.flatMap(([, { beforeEach }]) => this.#bound(beforeEach));
    this.#after = this.#models.flatMap(([, { afterEach }]) => this.#bound(afterEach));
  }

  /** Continues after the rows of a checkpoint; `atMs` is the time of its event. */
  async load(db: Db, atMs: number): Promise<this> {
    for (const [own, model] of this.#models) await model.load?.(own, db, { atMs, rows: this.rows });
    return this;
  }

  /** @throws RangeError when an event does not fit the events before it. */
  apply({ decisionEvents, event, formerName, id, keyId, seq }: FoldedEvent): void {
    if (typeof decisionEvents === 'number') this.#keyId = keyId ?? null;
    const at = { seq, id, formerName: formerName ?? null, keyId: this.#keyId };
    for (const handle of this.#before) handle(event, at);
    for (const handle of this.#handlersOf(event.type)) handle(event, at);
    for (const handle of this.#after) handle(event, at);
  }

  get erases(): boolean {
    return this.#models.some(([own]) => own.erases === true);
  }

  async hasErased(db: Db): Promise<boolean> {
    for (const [, model] of this.#models) if ((await model.hasErased?.(db)) === true) return true;
    return false;
  }

  /** Plans the writes of a batch before its end: only added rows. */
  planPart(schema: string): readonly Statement[] {
    const plan = new Plan(schema, this.#writes);
    for (const [own] of this.#models) own.planAdded?.(plan);
    return plan.statements;
  }

  /** Ends the batch. Its writes are a few bulk statements, for any number of events. */
  planBatch(schema: string): readonly Statement[] {
    this.endBatch();
    const plan = new Plan(schema, this.#writes);
    for (const [own] of this.#models) own.planAdded?.(plan);
    for (const [own] of this.#models) own.planChanged?.(plan);
    return plan.statements;
  }

  /** Adds the rows that are built at the end of a batch; `planBatch` calls it. */
  endBatch(): void {
    for (const [own] of this.#models) own.endBatch?.();
  }

  #handlersOf(type: EventType): readonly Handler[] {
    const known = this.#handlers.get(type);
    if (known !== undefined) return known;
    const handlers = this.#models.flatMap(([, { on }]) => this.#bound(on[type] as Handler | undefined));
    this.#handlers.set(type, handlers);
    return handlers;
  }

  #bound(handler: ((event: ExchangeEvent, at: EventPosition, rows: Rows) => void) | undefined): readonly Handler[] {
    return handler === undefined ? [] : [(event, at) => handler(event, at, this.rows)];
  }
}

import { SEQUENCE_MAX, text, Unavailable } from '@paper/contracts';
import type { Caller, Endpoint } from '@paper/contracts';
import { z } from 'zod';
import { cursorScope, openCursor, sealCursor } from './cursor.ts';

/** A sequence of the journal, or the start of a candle in ms. */
export const sequencePosition = z.number().int().min(1).max(SEQUENCE_MAX);

export const orderPosition = z.tuple([z.enum(['live', 'ended']), sequencePosition]).readonly();

export const orderHistoryPosition = z.tuple([sequencePosition, z.number().int().min(0).max(SEQUENCE_MAX)]).readonly();

/** The position of an item in the ledger: the sequence of its event, and its index among the event's items. */
export const ledgerPosition = z.tuple([sequencePosition, z.number().int().min(0).max(1)]).readonly();

const whole = z.number().int().min(0).max(SEQUENCE_MAX);
/** The id of a market within a cursor: any id that was ever listed. */
const listedId = text(1);

export const closingPosition = z.tuple([whole, listedId]).readonly();

/** The position of a market in a ranking: the ranking's minute in ms, the market's figure, and its id. */
export const rankPosition = z.tuple([whole, whole, listedId]).readonly();

type Parameter = string | number | undefined;

export interface PagedInput {
  readonly params: Readonly<Record<string, string>> | null;
  readonly query: Readonly<Record<string, Parameter>> & {
    readonly limit: number;
    readonly cursor?: string | undefined;
  };
}

export interface PageRequest<Position> {
  readonly limit: number;
  /** The position of the last item of the previous page; undefined on the first page. */
  readonly after: Position | undefined;
  /** The `Link` header (RFC 8288) of the next page; no header for the last page, whose `next` is null. */
  readonly linkTo: (next: Position | null) => { readonly headers?: Readonly<Record<string, string>> };
}

/** Makes and reads the cursors of all paged lists, with a secret that all processes of the service share. */
export class Paging {
  #secret: Buffer | null = null;

  constructor(secret: Promise<Buffer>) {
    void secret.then((value) => {
      this.#secret = value;
    });
  }

  /** The requested page. Throws Refused for a cursor of another list; Unavailable until the secret is read. */
  request<Position>(
    endpoint: Endpoint,
    caller: Caller,
    { params, query }: PagedInput,
    position: z.ZodType<Position>,
  ): PageRequest<Position> {
    const { cursor, limit, ...filters } = query;
    // Most requests are for a first page that is also the last one, and need no scope.
    const scope = () => cursorScope(endpoint, caller, { ...params, ...filters });
    return {
      limit,
      after: cursor === undefined ? undefined : openCursor(this.#secretNow(), scope(), cursor, position),
      linkTo: (next) => {
        if (next === null) return {};
        const sealed = sealCursor(this.#secretNow(), scope(), JSON.stringify(next));
        return {
          headers: { link: `<${urlOf(endpoint.path, params, { ...filters, limit, cursor: sealed })}>; rel="next"` },
        };
      },
    };
  }

  #secretNow(): Buffer {
    if (this.#secret !== null) return this.#secret;
    throw new Unavailable('the secret of cursors is not read yet; try again');
  }
}

function urlOf(template: string, params: PagedInput['params'], query: Readonly<Record<string, Parameter>>): string {
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return `${path}?${parameters.toString()}`;
}

import type { IncomingMessage } from 'node:http';
import { readInput } from './request-input.ts';
import type { DeclaredInput } from './request-input.ts';
import type { RequestInput } from './route.ts';

const INPUTS_MAX = 500;
const URL_LENGTH_MAX = 256;

/** Reads the inputs of a route's requests, and caches those that follow from the URL alone. Faults are not cached. */
export class RouteInputs {
  readonly #byUrl = new Map<string, RequestInput>();
  readonly #isOfUrl: boolean;

  constructor(private readonly endpoint: DeclaredInput) {
    this.#isOfUrl = endpoint.body === null && !endpoint.idempotent;
  }

  /** Reads an input as `readInput` does. A cached input is frozen, since several requests share it. */
  read(
    request: IncomingMessage,
    pathParams: Readonly<Record<string, string>>,
    beforeParsing?: () => void | Promise<void>,
  ): RequestInput | Promise<RequestInput> {
    const { url = '' } = request;
    const known = this.#byUrl.get(url);
    if (known !== undefined) return known;
    const input = readInput(this.endpoint, request, pathParams, beforeParsing);
    if (this.#isOfUrl && !(input instanceof Promise) && url.length <= URL_LENGTH_MAX) this.#add(url, input);
    return input;
  }

  #add(url: string, input: RequestInput): void {
    // Clearing is cheaper than tracking recent use, and as good while a few URLs are requested again and again.
    if (this.#byUrl.size >= INPUTS_MAX) this.#byUrl.clear();
    this.#byUrl.set(url, freeze(input));
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

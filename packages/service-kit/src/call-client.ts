import type { Client } from '@paper/contracts';
import type { Call } from './call.ts';
import { addressSubject } from './rate-limit.ts';

/** The client of a call. Most handlers ask for nothing of it, so its signal is made when it is asked for. */
export class CallClient implements Client {
  #signal: AbortSignal | null = null;

  constructor(private readonly call: Call) {}

  get address(): string {
    return addressSubject(this.call.address);
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.call);
    return this.#signal;
  }
}

/** Aborts when the answer has been sent, or its connection is gone. */
function signalOf({ response }: Call): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('the client does not wait for this request any more'));
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TrustedProxies } from './call.ts';
import { LIMITS } from './limits.ts';

/** Of requests over a limit, and of those for another host: their senders are the ones that go on regardless. */
const COUNTED: ReadonlySet<number> = new Set([429, 421]);

/** How many of the newest answers of a connection were refusals, whichever app of the process gave them. */
const refusalsInRow = new WeakMap<Socket, number>();

/** Before a request is answered: whether it is the last that its connection may have, which its answer then says. */
export function announceClose(request: IncomingMessage, response: ServerResponse, proxies: TrustedProxies): void {
  const inRow = refusalsInRow.get(request.socket) ?? 0;
  if (inRow >= LIMITS.refusalsInRow - 1 && !proxies.sent(request)) response.shouldKeepAlive = false;
}

/**
 * Counts an answer, and closes its connection where it was refused like the 99 before it. The connections of a trusted
 * proxy stay, since they carry the requests of others too.
 */
export function closeRefused(request: IncomingMessage, status: number, proxies: TrustedProxies): void {
  const { socket } = request;
  if (!COUNTED.has(status)) {
    refusalsInRow.delete(socket);
    return;
  }
  const inRow = (refusalsInRow.get(socket) ?? 0) + 1;
  refusalsInRow.set(socket, inRow);
  // Requests that were sent ahead of their answers are waiting behind this one.
  if (inRow >= LIMITS.refusalsInRow && !proxies.sent(request)) socket.destroySoon();
}

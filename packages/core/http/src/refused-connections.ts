import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TrustedProxies } from './call.ts';
import { LIMITS } from './limits.ts';

/** The statuses that count: over a limit, and for another host. Clients that get them tend to go on regardless. */
const COUNTED: ReadonlySet<number> = new Set([429, 421]);

/** How many of a connection's newest answers were refusals, whichever app of the process gave them. */
const refusalsInRow = new WeakMap<Socket, number>();

/** Before the last answer that a connection may have: makes the answer say that the connection is closed. */
export function announceClose(request: IncomingMessage, response: ServerResponse, proxies: TrustedProxies): void {
  const inRow = refusalsInRow.get(request.socket) ?? 0;
  if (inRow >= LIMITS.refusalsInRow - 1 && !proxies.sent(request)) response.shouldKeepAlive = false;
}

/** Counts an answer, and closes its connection after 100 refusals in a row, unless it is that of a trusted proxy. */
export function closeRefused(request: IncomingMessage, status: number, proxies: TrustedProxies): void {
  const { socket } = request;
  if (!COUNTED.has(status)) {
    refusalsInRow.delete(socket);
    return;
  }
  const inRow = (refusalsInRow.get(socket) ?? 0) + 1;
  refusalsInRow.set(socket, inRow);
  // Pipelined requests may be waiting behind this one.
  if (inRow >= LIMITS.refusalsInRow && !proxies.sent(request)) socket.destroySoon();
}

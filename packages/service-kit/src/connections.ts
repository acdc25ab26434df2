import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from './metrics.ts';

/**
 * Refuses connections over `max` as they come, before anything of them is read, so that files are left for the database;
 * and tells how many there are.
 */
export function limitConnections(server: Server, max: number, metrics: Metrics | undefined): void {
  server.maxConnections = max;
  if (metrics === undefined) return;
  metrics.gauge('http_connections', 'Open connections of clients', {
    collect: (gauge) =>
      new Promise((resolve) => {
        server.getConnections((_error, count) => {
          gauge.set(count);
          resolve();
        });
      }),
  });
  const refused = metrics.counter('http_connections_refused_total', 'Connections refused: CONNECTIONS_MAX were open');
  server.on('drop', () => refused.inc());
}

/**
 * Cuts connections whose client does not read an answer that is completely written, because unread bytes stay in this
 * process's memory. A timer per request would cost too much, so one timer checks all of them, and a client may get up to a
 * quarter more than `deliveryMs`. An answer still being written, such as a stream, is its writer's responsibility.
 * Returns a function that stops the checks.
 */
export function cutSlowReaders(answers: ReadonlySet<ServerResponse>, deliveryMs: number): () => void {
  const ended = new WeakMap<ServerResponse, number>();
  const look = (): void => {
    const nowMs = performance.now();
    for (const answer of answers) {
      if (!answer.writableEnded || answer.writableFinished) continue;
      const sinceMs = ended.get(answer);
      if (sinceMs === undefined) ended.set(answer, nowMs);
      // Uses the request's socket, because an answer that waits for its turn on a connection has no socket yet.
      else if (nowMs - sinceMs >= deliveryMs) answer.req.socket.destroy();
    }
  };
  const timer = setInterval(look, Math.max(10, deliveryMs / 8));
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Closes pipelined answers when their connection closes. Node reports the close only to the answer whose turn it is. An
 * answer that waits behind others of the same connection would get no event, and a stream among them would be written
 * for ever. Call the returned function with each answer as it begins.
 */
export function closeWaitingAnswers(): (answer: ServerResponse) => void {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>();
  return (answer) => {
    // Its turn has come.
    if (answer.socket !== null) return;
    const { socket } = answer.req;
    let answers = waiting.get(socket);
    if (answers === undefined) {
      const made = new Set<ServerResponse>();
      answers = made;
      waiting.set(socket, made);
      socket.once('close', () => {
        for (const one of made) {
          one.destroy();
          one.emit('close');
        }
      });
    }
    answers.add(answer);
    answer.once('socket', () => answers.delete(answer));
  };
}

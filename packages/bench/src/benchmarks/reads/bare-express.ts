import type { AddressInfo } from 'node:net';
import express from 'express';

/**
 * The least that Express does for an answer: a route that sends bytes. A process of its own, told what to send where;
 * the very Express that the service runs on.
 */
export interface BareAnswer {
  readonly path: string;
  readonly contentType: string;
  /** In base64. */
  readonly bytes: string;
}

process.once('message', (answers: readonly BareAnswer[]) => {
  const app = express();
  for (const { path, contentType, bytes } of answers) {
    const body = Buffer.from(bytes, 'base64');
    app.get(path, (_request, response) => {
      response.setHeader('content-type', contentType);
      response.setHeader('content-length', body.length);
      response.end(body);
    });
  }
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit());

import type { AddressInfo } from 'node:net';
import express from 'express';

/** An Express route that only sends given bytes, in a process of its own, on the same Express that the service uses. */
export interface BareAnswer {
  readonly path: string;
  readonly contentType: string;
  /** Base64. */
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

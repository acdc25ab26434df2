import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { runPeer } from '../../index.ts';

export interface BareAnswer {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: string;
}

/** Serves routes that only send given bytes, on the same Express that the service uses. */
runPeer(async (answers: readonly BareAnswer[]) => {
  const app = express();
  for (const { path, contentType, bytes } of answers) {
    const body = Buffer.from(bytes, 'base64');
    app.get(path, (_request, response) => {
      response.setHeader('content-type', contentType);
      response.setHeader('content-length', body.length);
      response.end(body);
    });
  }
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

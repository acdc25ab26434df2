import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CreateOrderInput } from '@paper/contracts/orders';
import express from 'express';
import { runPeer } from '../../index.ts';
import type { PeerSettings } from './floor.ts';

/** POST /api/orders on the service's Express and zod: validates the body, answers the same bytes, stores nothing. */
runPeer(async ({ answer }: PeerSettings) => {
  const bytes = Buffer.from(answer);
  const app = express();
  app.use(express.json());
  app.post('/api/orders', (request, response) => {
    CreateOrderInput.parse(request.body);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', bytes.length);
    response.end(bytes);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateOrderInput } from '@paper/contracts/orders';
import pg from 'pg';
import { runPeer } from '../../index.ts';

export interface PeerSettings {
  /** The body of each answer: the bytes with which the service answered one order. */
  readonly answer: string;
  readonly databaseUrl: string;
  /** The text that the floor stores for each order, as long as the journal's texts for one. */
  readonly stored: string;
}

/** Measures the least cost of an order: node:http, JSON, zod, and a durable INSERT, which waiting orders share. */
runPeer(async ({ answer, databaseUrl, stored }: PeerSettings) => {
  const bytes = Buffer.from(answer);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(
    'create schema floor create table orders (seq bigserial primary key, body text not null, stored text not null)',
  );

  let waiting: { readonly body: string; readonly response: ServerResponse }[] = [];
  let isStoring = false;
  const store = async (): Promise<void> => {
    if (isStoring) return;
    isStoring = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await database.query({
        name: 'store',
        text: 'insert into floor.orders (body, stored) select * from unnest($1::text[], $2::text[])',
        values: [batch.map(({ body }) => body), batch.map(() => stored)],
      });
      for (const { response } of batch) {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
        response.end(bytes);
      }
    }
    isStoring = false;
  };

  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      CreateOrderInput.parse(JSON.parse(body));
      waiting.push({ body, response });
      void store();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

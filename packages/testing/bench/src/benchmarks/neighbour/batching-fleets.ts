import type { RunningStandalone } from '@paper/testkit/exchange';
import { HttpConnection, httpRequest, Traders } from '../../index.ts';
import { neighbour } from './neighbour.ts';
import type { Neighbour } from './neighbour.ts';
import { MARKET } from './orders.ts';

const FLEETS = 5;
const CONNECTIONS_PER_FLEET = 40;
const BATCH = 50;
/** The pause that the service asks for after a 429. */
const RETRY_AFTER_MS = 1_000;
/** The required p99 of a fleet that sends one order at a time beside the batches. */
const BAR_MS = 100;

/** Five fleets that each use their whole limit of orders in batches, over forty connections. */
export async function batchingFleets(service: RunningStandalone): Promise<Neighbour> {
  const traders = await Traders.open(service, { accounts: FLEETS, markets: [MARKET] });
  const body = { orders: Array.from({ length: BATCH }, () => traders.unfilledOrder()) };
  let opened = 0;
  const open = async () => {
    const connection = await HttpConnection.open(traders.port);
    const request = httpRequest('POST', '/api/orders/batch', { key: traders.key(opened++), body });
    const send = async (): Promise<number> => (await connection.send(request)).status;
    return { send, usual: 200, close: () => connection.close() };
  };
  const connections = FLEETS * CONNECTIONS_PER_FLEET;
  return { ...neighbour('five fleets of batches', connections, open, RETRY_AFTER_MS), barMs: BAR_MS };
}

import { createMemoryJournal, openJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { eventStoreAt, testEventStore } from '@paper/testkit/servers';
import { figure, printTable, quantile, startPostgres } from '../index.ts';
import { commandRound } from './commands/round.ts';

/** Measures orders a second through the whole command path without HTTP, on each kind of journal. */
const CLIENTS = [1, 64, 512];

async function round(name: string, journal: Journal, clients: number): Promise<void> {
  const { eventsPerSecond, latenciesMs, ordersPerSecond } = await commandRound(journal, clients);
  const times = [0.5, 0.99].map((at) => figure(quantile(latenciesMs, at), 2));
  row(name, clients, figure(ordersPerSecond), figure(eventsPerSecond), ...times);
}

const row = printTable(['journal'], ['clients', 'orders/s', 'events/s', 'p50 ms', 'p99 ms']);
for (const clients of CLIENTS) await round('memory', createMemoryJournal(), clients);

const postgres = await startPostgres();
const databaseUrl = postgres.connectionString;
try {
  for (const clients of CLIENTS) await stored('postgres', clients);
  if (!eventStoreAt().toShare) {
    row('eventstore: not measured, no JOURNAL_URL, and no eventstored on PATH', '', '', '', '', '');
  } else {
    for (const clients of CLIENTS) await stored('eventstore', clients);
  }
} finally {
  await postgres.stop();
}
// Exiting also ends a server that was started for the benchmark.
process.exit();

async function stored(name: 'postgres' | 'eventstore', clients: number): Promise<void> {
  const eventStoreUrl = name === 'eventstore' ? await testEventStore() : undefined;
  const journal = await openJournal({ databaseUrl, eventStoreUrl, shard: `bench-${process.pid}-${clients}` });
  await round(name, journal, clients);
  await journal.close();
}

import { EventStoreDBClient } from '@eventstore/db-client';
import { AppendRefused, createEventStoreJournal, EMPTY_HEAD, encodeDecision, prepareEventStore } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { eventually } from '@paper/testkit';
import { eventStoreAt, startEventStore } from '@paper/testkit/servers';
import type { EventStore } from '@paper/testkit/servers';
import { expect } from 'chai';
import { sampleCommand, sampleEvents } from './sample-events.ts';

const STREAM = 'exchange-main';
const APPENDER = { name: 'paper_command', password: 'appendersPassword1' };
const READER = { name: 'paper_reader', password: 'readersPassword1' };

describe('the rights of the services in EventStoreDB', function () {
  this.timeout(60_000);
  if (!eventStoreAt().toStart) {
    it('need an EventStoreDB: eventstored on PATH');
    return;
  }
  let server: EventStore;
  const opened: Journal[] = [];

  const urlOf = ({ name, password }: { readonly name: string; readonly password: string }): string => {
    const url = new URL(server.connectionString);
    return server.connectionString.replace(`${url.username}:${url.password}@`, `${name}:${password}@`);
  };
  const open = async (connectionString: string): Promise<Journal> => {
    const journal = await createEventStoreJournal({ connectionString });
    opened.push(journal);
    return journal;
  };
  const prepare = (password = READER.password): Promise<void> =>
    prepareEventStore({
      appender: urlOf(APPENDER),
      connectionString: server.connectionString,
      readers: [urlOf({ ...READER, password })],
      shard: 'main',
    });
  const batch = encodeDecision({
    command: sampleCommand(1),
    events: [sampleEvents.OrderPlaced],
    head: EMPTY_HEAD,
    salt: '5a'.repeat(16),
  });
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  before(async () => {
    server = await startEventStore({ tls: true });
    await prepare();
  });
  after(async () => {
    for (const journal of opened) await journal.close();
    await server.stop();
  });

  it('let the command API append, and the others read alone', async () => {
    const reader = await open(urlOf(READER));
    const refused = await failureOf(reader.append(EMPTY_HEAD, batch.stored));
    expect(refused).to.be.instanceOf(AppendRefused);
    expect(String(refused)).to.match(/denied/i);
    await (await open(urlOf(APPENDER))).append(EMPTY_HEAD, batch.stored);
    expect(await reader.head()).to.deep.equal(batch.head);
    expect(await reader.read(1, 10)).to.deep.equal(batch.stored);
  });

  it('let no service hide or delete events, or read them without a name', async () => {
    for (const user of [APPENDER, READER]) {
      const client = EventStoreDBClient.connectionString(urlOf(user));
      for (const work of [() => client.setStreamMetadata(STREAM, { maxCount: 1 }), () => client.deleteStream(STREAM)]) {
        expect(await failureOf(work()), user.name).to.have.property('type', 'access-denied');
      }
      await client.dispose();
    }
    const { username, password } = new URL(server.connectionString);
    const nobody = server.connectionString.replace(`${username}:${password}@`, '');
    expect(String(await failureOf(open(nobody)))).to.match(/denied/i);
  });

  it('are made again with other passwords, and end retention that an operator has set', async () => {
    const journal = await open(urlOf(APPENDER));
    const admin = EventStoreDBClient.connectionString(server.connectionString);
    const { metadata } = await admin.getStreamMetadata(STREAM);
    await admin.setStreamMetadata(STREAM, { ...metadata, maxCount: 1_000 });
    await eventually('the threat is seen', () => /\$maxCount = 1000/.test(journal.threat?.() ?? ''));
    expect(String(await failureOf(open(urlOf(READER))))).to.include('cannot be a journal');
    await prepare('anotherPassword1');
    await eventually('the threat is over', () => journal.threat?.() === null);
    expect((await admin.getStreamMetadata(STREAM)).metadata).to.deep.equal(metadata);
    // The server remembers a password for a moment.
    const withPassword = (password: string) => failureOf(open(urlOf({ ...READER, password })));
    await eventually('the new password holds', async () => (await withPassword('anotherPassword1')) === null);
    expect(await withPassword(READER.password), 'the former password').not.to.equal(null);
    await admin.dispose();
  });

  it('wait for a server that is away for a moment, as a cluster that elects its leader: they ended with 2', async () => {
    await server.kill('SIGKILL');
    const preparing = prepare();
    await server.restart();
    await preparing;
  });
});

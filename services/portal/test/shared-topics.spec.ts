import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { SharedTopics } from '../src/http/shared-topics.ts';
import type { Topic } from '../src/http/topic.ts';

const entry = (id: string, probability: number, seq: number) => ({ id, probability, seq });
const picture = (...markets: readonly object[]): string => `id: 7\ndata: ${JSON.stringify({ markets })}\n\n`;
const changes = (...markets: readonly object[]): string =>
  `event: pulse message\ndata: ${JSON.stringify({ markets })}\n\n`;
const [ACME, GLOBEX] = [entry('acme', 0.4, 1), entry('globex', 0.5, 2)];
const PICTURE = picture(ACME, GLOBEX);
const PICTURE_OF_TOPIC = `event: pulse message\n${PICTURE}`;
const BEGAN = 'event: began\ndata: {"topic":"pulse","seq":7}\n\n';

/** One who follows the pulse. */
class Client {
  text = '';
  readonly #leaving = new AbortController();
  readonly ended: Promise<void>;

  constructor(topics: SharedTopics, topic: Topic, key = 'acme') {
    const write = (bytes: Buffer): void => void (this.text += bytes.toString());
    this.ended = topics.follow(key, topic, write, this.#leaving.signal);
  }

  leave(): Promise<void> {
    this.#leaving.abort();
    return this.ended;
  }

  has(text: string): Promise<void> {
    return eventually(`the client has ${text}`, () => this.text === text);
  }
}

describe('streams of the API that are shared', () => {
  let api: Server;
  let topic: Topic;
  let topics: SharedTopics;
  /** The streams that are open at the API. */
  let streams: ServerResponse[];
  let opened: number;
  let refusal: string | null;

  beforeEach(async () => {
    streams = [];
    opened = 0;
    refusal = null;
    topics = new SharedTopics();
    api = createServer((_request, response) => {
      opened += 1;
      if (refusal !== null) {
        response.writeHead(404, { 'content-type': 'application/json' }).end(refusal);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-journal-seq': '5' }).flushHeaders();
      streams.push(response);
      response.once('close', () => (streams = streams.filter((stream) => stream !== response)));
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const { port } = api.address() as AddressInfo;
    const open = async (signal: AbortSignal) => {
      const [answer] = (await once(get({ port, host: '127.0.0.1', signal }), 'response')) as [IncomingMessage];
      return Object.assign(answer, { status: answer.statusCode ?? 0 });
    };
    topic = { name: 'pulse', silentMs: 60_000, sharedAs: 'acme', open };
  });

  afterEach(() => {
    api.close();
    api.closeAllConnections();
  });

  const streamsOpen = (count: number): Promise<void> =>
    eventually(`${count} streams are open`, () => streams.length === count);

  it('are opened once for all, and each client gets the same bytes', async () => {
    const [first, second] = [new Client(topics, topic), new Client(topics, topic)];
    await streamsOpen(1);
    streams[0]?.write(PICTURE);
    await first.has(BEGAN + PICTURE_OF_TOPIC);
    await second.has(BEGAN + PICTURE_OF_TOPIC);
    expect(opened).to.equal(1);
    await Promise.all([first.leave(), second.leave()]);
  });

  it('give one who comes later the latest event at once', async () => {
    const first = new Client(topics, topic);
    await streamsOpen(1);
    streams[0]?.write(PICTURE);
    await first.has(BEGAN + PICTURE_OF_TOPIC);
    const later = new Client(topics, topic);
    expect(later.text).to.equal(BEGAN + PICTURE_OF_TOPIC);
    await Promise.all([first.leave(), later.leave()]);
  });

  it('send only the markets whose figures changed, and who comes later all of them', async () => {
    const first = new Client(topics, topic);
    await streamsOpen(1);
    const [moved, listed] = [entry('globex', 0.6, 4), entry('initech', 0.1, 5)];
    streams[0]?.write(PICTURE);
    streams[0]?.write(picture(ACME, moved));
    // An order that moves no figure changes the sequence alone.
    streams[0]?.write(picture({ ...ACME, seq: 9 }, moved));
    streams[0]?.write(picture(ACME, moved, listed));
    await first.has(`${BEGAN}${PICTURE_OF_TOPIC}${changes(moved)}:\n\n${changes(listed)}`);
    const later = new Client(topics, topic);
    expect(later.text).to.equal(`${BEGAN}event: pulse message\n${picture(ACME, moved, listed)}`);
    await Promise.all([first.leave(), later.leave()]);
  });

  it('give each of a crowd everything in order, and then its end', async () => {
    const crowd = Array.from({ length: 120 }, () => new Client(topics, topic));
    await streamsOpen(1);
    const [moved, listed] = [entry('globex', 0.6, 4), entry('initech', 0.1, 5)];
    streams[0]?.write(PICTURE);
    streams[0]?.write(picture(ACME, moved));
    streams[0]?.end(picture(ACME, moved, listed));
    await Promise.all(crowd.map(({ ended }) => ended));
    const expected = `${BEGAN}${PICTURE_OF_TOPIC}${changes(moved)}${changes(listed)}event: ended\n`;
    for (const { text } of crowd) expect(text.slice(0, expected.length)).to.equal(expected);
  });

  it('go on when the one who opened them has left, and end with the last', async () => {
    const [first, second] = [new Client(topics, topic), new Client(topics, topic)];
    await streamsOpen(1);
    await first.leave();
    streams[0]?.write(PICTURE);
    await second.has(BEGAN + PICTURE_OF_TOPIC);
    expect(first.text).to.equal('');
    await second.leave();
    await streamsOpen(0);
  });

  it('are streams of their own for other markets', async () => {
    const clients = [new Client(topics, topic), new Client(topics, topic, 'globex')];
    await streamsOpen(2);
    await Promise.all(clients.map((client) => client.leave()));
  });

  it('tell every client that they have ended, and are opened anew by the next', async () => {
    const [first, second] = [new Client(topics, topic), new Client(topics, topic)];
    await streamsOpen(1);
    streams[0]?.destroy();
    await Promise.all([first.ended, second.ended]);
    for (const { text } of [first, second]) expect(text).to.match(/^event: ended\ndata: .*"code":"unreachable"/);
    const next = new Client(topics, topic);
    await eventually('it is opened anew', () => opened === 2);
    await next.leave();
  });

  it("are refused in the API's own words", async () => {
    refusal = '{"error":"No market has the id acme","code":"market_not_found"}';
    const client = new Client(topics, topic);
    await client.ended;
    expect(client.text).to.equal(
      'event: ended\ndata: {"topic":"pulse","status":404,"code":"market_not_found",' +
        '"error":"No market has the id acme","retryAfterMs":null}\n\n',
    );
  });
});

import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createCuttableProxy } from '@paper/testkit/servers';
import { createRedisPulse } from '../src/index.ts';
import type { PulseChannel } from '../src/index.ts';
import { connected, describePulseChannel } from './contract.ts';
import { message } from './messages.ts';

const REDIS_URL = process.env['REDIS_URL'] ?? '';
let shards = 0;

/** A shard that only this test uses. */
function shardName(): string {
  shards += 1;
  return `test-${process.pid}-${shards}`;
}

if (REDIS_URL === '') {
  describe('a channel of pulses, over Redis', () => {
    it('needs a Redis server: REDIS_URL says where', function () {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('REDIS_URL is not set');
      this.skip();
    });
  });
} else {
  describePulseChannel('over Redis', async () => {
    const settings = { url: REDIS_URL, shard: shardName(), onError: () => undefined };
    return { publisher: createRedisPulse(settings), subscriber: createRedisPulse(settings) };
  });

  describe('a channel of pulses over a Redis that goes away', () => {
    const open: PulseChannel[] = [];
    const create = (url: string, shard: string, errors: Error[] = []): PulseChannel => {
      const made = createRedisPulse({ url, shard, onError: (error) => void errors.push(error) });
      open.push(made);
      return made;
    };
    afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

    it('loses what is published meanwhile, says so, and is heard again by itself', async () => {
      const proxy = await createCuttableProxy(REDIS_URL);
      const shard = shardName();
      const errors: Error[] = [];
      const ends = { publisher: create(proxy.url, shard, errors), subscriber: create(proxy.url, shard, errors) };
      const { collector } = await connected(ends);
      proxy.cut();
      const refused: unknown = await ends.publisher.publish(message(1)).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(Error);
      proxy.mend();
      await connected(ends);
      await ends.publisher.publish(message(2));
      expect((await collector.count(1)).map(({ seq }) => seq)).to.deep.equal([2]);
      await Promise.all(open.splice(0).map((each) => each.close()));
      await proxy.close();
    });

    it('does not lose the first: it waits for its connection', async () => {
      const [shard, stranger, heard] = [shardName(), new Redis(REDIS_URL), [] as string[]];
      await stranger.subscribe(`paper:pulse:${shard}`);
      const told = new Promise<void>((resolve) => {
        stranger.on('message', (_channel, text) => {
          heard.push(text);
          resolve();
        });
      });
      await create(REDIS_URL, shard).publish(message(1));
      await told;
      stranger.disconnect();
      expect(heard.map((text) => (JSON.parse(text) as { readonly seq: number }).seq)).to.deep.equal([1]);
    });

    it('can be opened before Redis is there', async () => {
      const proxy = await createCuttableProxy(REDIS_URL);
      proxy.cut();
      const shard = shardName();
      const ends = { publisher: create(proxy.url, shard), subscriber: create(proxy.url, shard) };
      const waiting = connected(ends);
      const refused: unknown = await ends.publisher.publish(message(1)).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(Error);
      proxy.mend();
      await waiting;
      await Promise.all(open.splice(0).map((each) => each.close()));
      await proxy.close();
    });

    it('passes over what is no pulse, and says so', async () => {
      const shard = shardName();
      const errors: Error[] = [];
      const ends = { publisher: create(REDIS_URL, shard), subscriber: create(REDIS_URL, shard, errors) };
      const { collector } = await connected(ends);
      const stranger = new Redis(REDIS_URL);
      for (const text of ['', '{"seq":1}', '{"seq":-1,"pulse":{"ts":"now","markets":[]}}']) {
        await stranger.publish(`paper:pulse:${shard}`, text);
      }
      stranger.disconnect();
      await ends.publisher.publish(message(2));
      expect((await collector.count(1)).map(({ seq }) => seq)).to.deep.equal([2]);
      expect(errors).to.have.length(3);
    });
  });
}

import { expect } from 'chai';
import type { PulseChannel, PulseMessage } from '../src/index.ts';
import { message } from './messages.ts';

/** Two ends of one channel, which may be the same; `close` closes both. */
export interface Ends {
  readonly publisher: PulseChannel;
  readonly subscriber: PulseChannel;
}

/** Collects the messages that arrive, and waits for them. */
export class Collector {
  readonly messages: PulseMessage[] = [];
  #arrived = (): void => undefined;

  readonly handler = (received: PulseMessage): void => {
    this.messages.push(received);
    this.#arrived();
  };

  async until(wanted: () => boolean): Promise<void> {
    while (!wanted()) await new Promise<void>((resolve) => (this.#arrived = resolve));
  }

  async count(count: number): Promise<PulseMessage[]> {
    await this.until(() => this.messages.length >= count);
    return this.messages;
  }
}

/** Sequences that no test publishes. */
const LAST_WARM_UP = 1_000_000;
const WARM_UPS = [0, LAST_WARM_UP];

/** Publishes until a message arrives, since a subscription takes a moment; then starts with an empty collector. */
export async function connected({ publisher, subscriber }: Ends): Promise<{ collector: Collector; leave: () => void }> {
  const warmUp = new Collector();
  const collector = new Collector();
  const leave = subscriber.subscribe((received) =>
    (WARM_UPS.includes(received.seq) ? warmUp : collector).handler(received),
  );
  const repeat = setInterval(() => void publisher.publish(message(0)).catch(() => undefined), 5);
  await warmUp.count(1);
  clearInterval(repeat);
  // Messages arrive in order: after this one, none of those before it is on its way to a later subscriber.
  await publisher.publish(message(LAST_WARM_UP));
  await warmUp.until(() => warmUp.messages.at(-1)?.seq === LAST_WARM_UP);
  return { collector, leave };
}

/** The tests that every pulse channel must pass. */
export function describePulseChannel(name: string, open: () => Promise<Ends>): void {
  describe(`a channel of pulses, ${name}`, () => {
    let ends: Ends;
    beforeEach(async () => {
      ends = await open();
    });
    afterEach(async () => {
      await ends.publisher.close();
      await ends.subscriber.close();
    });

    it('brings every message whole, once and in order, to every subscriber', async () => {
      const [one, other] = [await connected(ends), await connected(ends)];
      const sent = Array.from({ length: 100 }, (_, n) => message(n + 1));
      for (const each of sent) await ends.publisher.publish(each);
      expect(await one.collector.count(100)).to.deep.equal(sent);
      expect(await other.collector.count(100)).to.deep.equal(sent);
    });

    it('brings nothing to who has left, and goes on for the others', async () => {
      const [one, other] = [await connected(ends), await connected(ends)];
      one.leave();
      await ends.publisher.publish(message(1));
      await other.collector.count(1);
      expect(one.collector.messages).to.deep.equal([]);
    });

    it('takes a handler twice for two subscribers', async () => {
      const { collector, leave } = await connected(ends);
      const leaveAgain = ends.subscriber.subscribe(collector.handler);
      await ends.publisher.publish(message(1));
      await collector.count(2);
      leaveAgain();
      await ends.publisher.publish(message(2));
      expect((await collector.count(3)).map(({ seq }) => seq)).to.deep.equal([1, 1, 2]);
      leave();
    });

    it('without subscribers: nothing happens', async () => {
      const { collector, leave } = await connected(ends);
      leave();
      await ends.publisher.publish(message(1));
      expect(collector.messages).to.deep.equal([]);
    });

    it('is silent once it is closed, and closes again', async () => {
      const { collector } = await connected(ends);
      await ends.subscriber.close();
      await ends.subscriber.close();
      await ends.publisher.publish(message(1));
      await ends.publisher.close();
      await ends.publisher.publish(message(2));
      ends.subscriber.subscribe(collector.handler)();
      expect(collector.messages).to.deep.equal([]);
    });
  });
}

import { CommandProcessor, operatorLane } from '@paper/command-side';
import type { CommandLane } from '@paper/command-side';
import type { CommandFields } from '@paper/command-api';
import { Refused } from '@paper/contracts';
import { createState } from '@paper/exchange';
import type { Decision, State } from '@paper/exchange';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Actor, Untimed } from '@paper/exchange/commands';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { createRandom, FakeClock, until } from '@paper/testkit';
import type { PlayedExchange } from '../../src/playing.ts';

export const BY_TEST: Actor = { kind: 'operator', name: 'test' };
const LANE: CommandLane = operatorLane('test');

/** A real writer on a journal in memory and a clock that stands still. */
export interface TapeExchange extends PlayedExchange {
  readonly journal: readonly StoredEvent[];
  /** Moves the clock, and decides the timers that are due then. */
  readonly moveTo: (atMs: number) => Promise<void>;
  readonly openParticipant: (balanceUnits?: number) => Promise<Actor & { readonly kind: 'key' }>;
  readonly end: () => Promise<void>;
}

export async function openTapeExchange(startMs: number, seed = 1): Promise<TapeExchange> {
  const clock = new FakeClock();
  clock.jump(startMs - clock.now());
  const random = createRandom(seed);
  const ids = { newId: () => random.uuid(clock.now()), newSalt: () => random.hex(32) };
  const log = createMemoryLog();
  const unexpected = (message: string, error?: unknown): never => {
    throw new Error(message, { cause: error });
  };
  const processor = new CommandProcessor({
    build: 'test',
    clock,
    ids,
    journal: createMemoryJournal(log),
    observer: {
      alarm: unexpected,
      appended: () => undefined,
      decided: () => undefined,
      noted: () => undefined,
      queueDepth: () => undefined,
      resent: () => undefined,
    },
    onFenced: (error) => unexpected('fenced', error),
    settings: DEFAULT_SETTINGS,
  });
  await processor.start();
  const { writer } = processor;
  const state = (): State => writer.state ?? createState();
  const submit = async (by: Actor, command: CommandFields): Promise<Decision> => {
    const id = ids.newId();
    const whole = { ...command, by, causationId: id, correlationId: id, id, idempotency: null } as Untimed;
    try {
      return (await writer.submit(LANE, whole, (decision) => decision)).value;
    } catch (error) {
      if (error instanceof Refused) return { code: error.code as never, kind: 'rejected', message: error.message };
      throw error;
    }
  };
  return {
    journal: log.events,
    newId: ids.newId,
    now: clock.now,
    state,
    submit,
    end: () => processor.stop(0),
    async moveTo(atMs) {
      clock.advance(atMs - clock.now());
      await until('what timers decided is durable', () => writer.durable.seq === state().seq);
    },
    async openParticipant(balanceUnits = 100_000_000) {
      const [accountId, keyId] = [ids.newId(), ids.newId()];
      const decision = await submit(BY_TEST, {
        type: 'OpenAccount',
        accountId,
        keyHash: random.hex(64),
        keyId,
        last4: 'last',
        nameDigest: random.hex(64),
        permissions: ['trade', 'master'],
        startingBalanceUnits: balanceUnits,
      });
      if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
      return { accountId, keyId, kind: 'key' };
    },
  };
}

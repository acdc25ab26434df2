import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ClientActivity } from '../src/client-activity.ts';

const MINUTE = 60_000;

describe('activity of the standalone', () => {
  let nowMs: number;
  let activity: ClientActivity;

  beforeEach(() => {
    nowMs = 0;
    activity = new ClientActivity(() => nowMs);
  });

  /** A request that is under way; the returned function ends it. */
  const ask = (url: string): (() => void) => {
    const response = new EventEmitter();
    let served = 0;
    const app = activity.count(() => (served += 1));
    app({ url } as IncomingMessage, response as ServerResponse);
    expect(served).to.equal(1);
    return () => void response.emit('close');
  };

  it('are awaited for ten minutes after the start, and remembered for ten after their last request', () => {
    expect(activity.isRecent).to.equal(true);
    nowMs = 10 * MINUTE;
    expect(activity.isRecent).to.equal(false);
    ask('/api/markets')();
    nowMs = 20 * MINUTE - 1;
    expect(activity.isRecent).to.equal(true);
    nowMs = 20 * MINUTE;
    expect(activity.isRecent).to.equal(false);
  });

  it('are connected as long as a stream of theirs is open', () => {
    const leave = ask('/api/stream');
    nowMs = 500 * MINUTE;
    expect(activity.isRecent).to.equal(true);
    leave();
    expect(activity.isRecent).to.equal(true);
    nowMs += 10 * MINUTE;
    expect(activity.isRecent).to.equal(false);
  });

  it('are no health checks', () => {
    nowMs = 10 * MINUTE;
    ask('/api/health');
    expect(activity.isRecent).to.equal(false);
    ask('/api/orders')();
    expect(activity.isRecent).to.equal(true);
  });
});

import type { EventType } from '@paper/exchange/events';
import { expect } from 'chai';
import { eventVersion } from '../src/formats.ts';
import { validateEvent } from '../src/index.ts';
import { sampleEvents } from './sample-events.ts';

describe('event formats', () => {
  for (const type of Object.keys(sampleEvents) as EventType[]) {
    const event = sampleEvents[type];

    it(`accepts ${type}`, () => {
      validateEvent(event);
    });

    it(`refuses ${type} with a field too many, a field too few, or a field of another type`, () => {
      const broken = [{ ...event, surprise: 1 }];
      for (const key of Object.keys(event).filter((name) => name !== 'type')) {
        broken.push({ ...event, [key]: undefined } as unknown as (typeof broken)[number]);
        broken.push({ ...event, [key]: { not: 'this' } } as unknown as (typeof broken)[number]);
      }
      for (const bad of broken) expect(() => validateEvent(bad)).to.throw(`event ${type} does not fit its schema`);
    });
  }

  it('refuses money that is not whole units, and texts that have no UTF-8', () => {
    expect(() => validateEvent({ ...sampleEvents.AccountOpened, startingBalanceUnits: 0.5 })).to.throw(
      'startingBalance',
    );
    expect(() => validateEvent({ ...sampleEvents.AccountOpened, startingBalanceUnits: -1 })).to.throw(
      'startingBalance',
    );
    expect(() => validateEvent({ ...sampleEvents.WriterEpochStarted, build: 'a\ud800' })).to.throw('lone surrogate');
  });

  it('takes a void at 0 and at 1 dollar, which the rules allow, and none beyond', () => {
    for (const priceUnits of [0, 10_000]) validateEvent({ ...sampleEvents.MarketVoided, priceUnits });
    for (const priceUnits of [-1, 10_001]) {
      expect(() => validateEvent({ ...sampleEvents.MarketVoided, priceUnits })).to.throw('priceUnits');
    }
  });

  it('takes nothing that is counted below 0, and a market that paid nothing to no holder', () => {
    validateEvent({ ...sampleEvents.MarketSettled, cancelledOrders: 0, paidUnits: 0, settledAccounts: 0 });
    for (const field of ['cancelledOrders', 'paidUnits', 'settledAccounts']) {
      expect(() => validateEvent({ ...sampleEvents.MarketSettled, [field]: -1 })).to.throw(field);
    }
  });

  it('has no type and no version beyond its table', () => {
    expect(() => validateEvent({ type: 'OrderEaten' })).to.throw('event type OrderEaten is unknown here');
    const next = eventVersion('OrderPlaced') + 1;
    expect(() => validateEvent(sampleEvents.OrderPlaced, next)).to.throw(`OrderPlaced version ${next} is unknown here`);
  });

  it('holds a former version against its own schema', () => {
    const added = new Set(['companyImpact', 'drivers', 'tickUnits']);
    const fields = Object.entries(sampleEvents.MarketListed).filter(([field]) => !added.has(field));
    const v1 = Object.fromEntries(fields);
    validateEvent(v1, 1);
    expect(() => validateEvent(v1, 2)).to.throw('does not fit its schema');
    expect(() => validateEvent(sampleEvents.MarketListed, 1)).to.throw('does not fit its schema');
  });
});

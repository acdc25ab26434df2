import { expect } from 'chai';
import fc from 'fast-check';
import { Confirmations, newConfirmationId, PREPARED_ORDERS_MAX } from '../src/orders/confirmation.ts';
import type { Confirmation } from '../src/orders/confirmation.ts';

const SECRET = 'a-secret-of-a-test-of-at-least-32-characters';
const OTHER = 'another-secret-of-a-test-of-32-characters-too';

const ORDER = {
  marketId: 'm',
  outcome: 'yes',
  side: 'buy',
  orderType: 'market',
  timeInForce: 'IOC',
  quantity: 10,
  maxPrice: 0.55,
} as const;

const prepared = (more: Partial<Confirmation> = {}): Confirmation => ({
  id: newConfirmationId(),
  keyId: 'key-1',
  orders: [{ order: ORDER, boundPrice: 0.55 }],
  expiresAt: 1_800_000_000_000,
  ...more,
});

describe('the signed text of a prepared order', () => {
  it('is read as it was signed, by any process with the secret', () => {
    const content = prepared();
    const text = new Confirmations([SECRET]).sign(content);
    expect(new Confirmations([SECRET]).read(text)).to.deep.equal(content);
  });

  it('can be copied as one word', () => {
    expect(new Confirmations([SECRET]).sign(prepared())).to.match(/^paper2\.[\w-]+\.[\w-]{43}$/);
  });

  it('is refused with another secret, and accepted while a secret is changed', () => {
    const text = new Confirmations([SECRET]).sign(prepared());
    expect(new Confirmations([OTHER]).read(text)).to.equal(null);
    expect(new Confirmations([OTHER, SECRET]).read(text)).not.to.equal(null);
    // The newer one signs.
    expect(new Confirmations([OTHER]).read(new Confirmations([OTHER, SECRET]).sign(prepared()))).not.to.equal(null);
  });

  it('is refused when any character of it is changed, removed or added', () => {
    const confirmations = new Confirmations([SECRET]);
    const text = confirmations.sign(prepared());
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= ';
    for (let at = 0; at < text.length; at += 1) {
      const replaced = alphabet[(alphabet.indexOf(text[at] ?? '') + 1) % alphabet.length] ?? '';
      for (const changed of [replaced, '', `${text[at]}A`]) {
        const other = text.slice(0, at) + changed + text.slice(at + 1);
        if (other !== text) expect(confirmations.read(other), `at ${at}: ${changed}`).to.equal(null);
      }
    }
  });

  it('is refused when it is any other text', () => {
    const confirmations = new Confirmations([SECRET]);
    fc.assert(fc.property(fc.string(), (text) => confirmations.read(text) === null));
    fc.assert(fc.property(fc.base64String(), (text) => confirmations.read(`paper2.${text}.${text}`) === null));
  });

  it('of twenty orders is short enough to be copied by a model', () => {
    const confirmations = new Confirmations([SECRET]);
    const orders = Array.from({ length: PREPARED_ORDERS_MAX }, (_, at) => ({
      order: { ...ORDER, marketId: `market-of-a-company-${at}`, quantity: at + 1, expiresAt: '2027-12-31T23:59:00Z' },
      boundPrice: 0.55,
    }));
    const text = confirmations.sign(prepared({ orders }));
    expect(orders).to.have.length(20);
    expect(text.length).to.be.below(1_000);
    expect(confirmations.read(text)?.orders).to.deep.equal(orders);
    const more = [...orders, ...orders.slice(0, 1)];
    expect(confirmations.read(confirmations.sign(prepared({ orders: more })))).to.equal(null);
  });

  it('has an id that no other has', () => {
    expect(new Set(Array.from({ length: 1_000 }, newConfirmationId)).size).to.equal(1_000);
  });

  it('needs a secret', () => {
    expect(() => new Confirmations([])).to.throw('a secret is needed');
  });
});

import { ERRORS } from '@paper/contracts';
import type { ErrorCode } from '@paper/contracts';
import { expect } from 'chai';
import { ApiRefusal } from 'paper-trading-client';
import { toPmxtError } from '../src/errors.ts';
import { executionPrice } from '../src/price.ts';
import { parseOutcomeId, toBalance, toCandle, toOrder, toTrade } from '../src/shapes.ts';

const AT = '2026-11-21T12:00:00.000Z';

describe("pmxt's shapes", () => {
  it('name an outcome by its market, also where the id of the market has a colon', () => {
    expect(parseOutcomeId('a:b:no')).to.deep.equal({ marketId: 'a:b', outcome: 'no' });
    for (const text of ['a', 'a:maybe', ':yes', '']) {
      expect(() => parseOutcomeId(text), text).to.throw(/^outcomeId: must be <marketId>:yes or <marketId>:no/);
    }
  });

  it('turn a candle upside down for NO', () => {
    const candle = { start: AT, open: 0.4, high: 0.7, low: 0.3, close: 0.6, volume: 9, trades: 2 };
    const quotes = { yesBidClose: null, yesAskClose: null };
    const expected = { timestamp: Date.parse(AT), open: 0.6, high: 0.7, low: 0.3, close: 0.4, volume: 9 };
    expect(toCandle({ ...candle, ...quotes }, 'no')).to.deep.equal(expected);
  });

  it('see a trade from either outcome', () => {
    const trade = { id: 't', marketId: 'm', outcome: 'no', side: 'buy', yesPrice: 0.4, quantity: 3, createdAt: AT };
    const seen = (outcome: 'no' | 'yes') => {
      const { price, side } = toTrade(trade as Parameters<typeof toTrade>[0], outcome);
      return { price, side };
    };
    expect(seen('no')).to.deep.equal({ price: 0.6, side: 'buy' });
    expect(seen('yes')).to.deep.equal({ price: 0.4, side: 'sell' });
  });

  it('call a partly filled order open, with what remains of it; nothing remains of an ended one', () => {
    const order = {
      id: 'o',
      marketId: 'm',
      outcome: 'yes',
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'GTC',
      price: 0.5,
      quantity: 10,
      filledQty: 4,
      createdAt: AT,
      reservedAmount: 3,
    } as const;
    expect(toOrder({ ...order, status: 'partial' })).to.include({ status: 'open', remaining: 6, outcomeId: 'm:yes' });
    expect(toOrder({ ...order, status: 'cancelled' })).to.include({ status: 'cancelled', remaining: 0, filled: 4 });
  });

  it('lock what orders reserve, exactly', () => {
    expect(toBalance(10, [{ reservedAmount: 0.1 }, { reservedAmount: 0.2 }])).to.deep.equal({
      currency: 'USD',
      total: 10,
      available: 9.7,
      locked: 0.3,
    });
  });

  it('walk a book as far as it goes', () => {
    const book = {
      asks: [
        { price: 0.6, size: 1 },
        { price: 0.5, size: 1 },
      ],
      bids: [],
    };
    expect(executionPrice(book, 'buy', 2)).to.deep.equal({ price: 0.55, filledAmount: 2, fullyFilled: true });
    expect(executionPrice(book, 'buy', 3)).to.include({ filledAmount: 2, fullyFilled: false });
    expect(executionPrice(book, 'sell', 1)).to.deep.equal({ price: 0, filledAmount: 0, fullyFilled: false });
  });

  it('have an error for each code of the API, with its text and a status of the same kind', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const { status } = ERRORS[code];
      const error = toPmxtError(new ApiRefusal('GET /api/x', status, code, 'the reason'));
      expect(error.message, code).to.equal('the reason');
      expect(Math.floor(error.status / 100), code).to.equal(status === 408 ? 5 : Math.floor(status / 100));
    }
    expect(
      toPmxtError(new ApiRefusal('POST /api/orders', 400, 'insufficient_balance', 'x')).body('paper'),
    ).to.deep.equal({
      success: false,
      error: { message: 'x', code: 'INSUFFICIENT_FUNDS', retryable: false, exchange: 'paper' },
    });
    expect(toPmxtError(new Error('lost'))).to.include({ code: 'NETWORK_ERROR', status: 503 });
  });
});

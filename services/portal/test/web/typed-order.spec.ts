import { expect } from 'chai';
import { parseTyped, understood } from '../../web/data/orders/typed-number.ts';
import { readDollars, readPrice, readShares } from '../../web/data/orders/typed-order.ts';

const NO_PRICE = 'is not a price. Type dollars a share, such as 0.33.';
const NO_SHARES = 'is not a number of shares. Type one such as 25.';
const NO_DOLLARS = 'is not an amount of dollars. Type one such as 25.';
const DOLLARS_A_SHARE = 'A price is in dollars a share, at most 0.99. Did you mean';
const TOO_HIGH = 'A price is at most 0.99: a share pays $1.00.';

/** What is typed as a price, in a market whose tick is 0.01, and the price or the sentence. */
const PRICES: readonly (readonly [string, number | string])[] = [
  ['0.33', 0.33],
  ['33¢', 0.33],
  ['33 ¢', 0.33],
  ['33c', 0.33],
  ['33%', 0.33],
  ['0,33', 0.33],
  ['0,3', 0.3],
  [',5', 0.5],
  ['.5', 0.5],
  ['$0.33', 0.33],
  ['+0.33', 0.33],
  ['0.330', 0.33],
  ['57¢', 0.57],
  ['', 'Type a price, such as 0.33.'],
  ['33', `${DOLLARS_A_SHARE} 0.33?`],
  ['$33', `${DOLLARS_A_SHARE} 0.33?`],
  ['33.5', `${DOLLARS_A_SHARE} 0.335?`],
  ['1', `${DOLLARS_A_SHARE} 0.01?`],
  ['1.5', TOO_HIGH],
  ['1,000', TOO_HIGH],
  ['100%', TOO_HIGH],
  ['0', 'A price is at least 0.01.'],
  ['-0.5', 'A price is at least 0.01.'],
  ['0.33¢', 'A price is at least 0.01.'],
  ['0.335', "This market's prices go in steps of 0.01: type 0.33 or 0.34."],
  ['0,335', "This market's prices go in steps of 0.01: type 0.33 or 0.34."],
  ['ten', `"ten" ${NO_PRICE}`],
  ['0.3.3', `"0.3.3" ${NO_PRICE}`],
  ['1e-1', `"1e-1" ${NO_PRICE}`],
  ['$33¢', `"$33¢" ${NO_PRICE}`],
];

const SHARES: readonly (readonly [string, number | string])[] = [
  ['25', 25],
  [' 25 ', 25],
  ['25.0', 25],
  ['', 'Type how many shares.'],
  ['0', 'An order is for at least 1 share.'],
  ['−3', 'An order is for at least 1 share.'],
  ['2.5', 'Shares are whole: type 2 or 3.'],
  ['2,5', 'Shares are whole: type 2 or 3.'],
  ['501', 'This market takes at most 500 shares an order.'],
  ['1,000', 'This market takes at most 500 shares an order.'],
  ['1 000', 'This market takes at most 500 shares an order.'],
  ['5%', `"5%" ${NO_SHARES}`],
  ['0x10', `"0x10" ${NO_SHARES}`],
  ['２', `"２" ${NO_SHARES}`],
  ['Infinity', `"Infinity" ${NO_SHARES}`],
];

const DOLLARS: readonly (readonly [string, number | string])[] = [
  ['$25', 25],
  ['25 $', 25],
  ['1,000', 1000],
  ['1 000', 1000],
  ['1\u202f000,50', 1000.5],
  ["1'000", 1000],
  ['1,000.50', 1000.5],
  ['1.000,50', 1000.5],
  ['150¢', 1.5],
  ['', 'Type how many dollars.'],
  ['0,99', 'An order in dollars is for at least $1.00.'],
  ['5,001', 'This market takes at most $5,000.00 an order.'],
  ['1.00001', 'Dollars have four decimals at most.'],
  ['5%', `"5%" ${NO_DOLLARS}`],
  ['1,00,000', `"1,00,000" ${NO_DOLLARS}`],
  ['1,0000', `"1,0000" ${NO_DOLLARS}`],
  ['10 00', `"10 00" ${NO_DOLLARS}`],
];

describe('what is typed into an order', () => {
  for (const [name, read, cases] of [
    ['price', (text: string) => readPrice(text, 0.01), PRICES],
    ['shares', readShares, SHARES],
    ['dollars', readDollars, DOLLARS],
  ] as const) {
    for (const [text, expected] of cases) {
      it(`"${text}" as ${name}: ${expected}`, () => {
        const { fault, value } = read(text);
        expect(fault ?? value).to.equal(expected);
      });
    }
  }

  it('a price of a finer market is read with its tick', () => {
    expect(readPrice('33.5¢', 0.001).value).to.equal(0.335);
    expect(readPrice('0.3355', 0.001).fault).to.equal(
      "This market's prices go in steps of 0.001: type 0.335 or 0.336.",
    );
    expect(readPrice('0.9999', 0.01).fault).to.equal(TOO_HIGH);
  });

  it('every price of two decimals is the same in dollars, cents and percent', () => {
    for (let cents = 1; cents <= 99; cents += 1) {
      for (const text of [`${cents}¢`, `${cents}%`, String(cents / 100), String(cents / 100).replace('.', ',')]) {
        expect(readPrice(text, 0.01).value, text).to.equal(cents / 100);
      }
    }
  });

  it('is shown as it was understood, and left as typed where it was not', () => {
    expect(understood('33¢', '$%¢')).to.equal('0.33');
    expect(understood('0,33', '$%¢')).to.equal('0.33');
    expect(understood('1 000', '')).to.equal('1000');
    expect(understood('$5', '')).to.equal('$5');
    expect(understood('ten', '$')).to.equal('ten');
    expect(parseTyped('')).to.equal(null);
  });
});

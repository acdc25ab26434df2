import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { ProjectedPicture, dump } from '../../src/dumps/index.ts';
import type { MarketDump, StateDump } from '../../src/dumps/index.ts';

describe("the projection's picture of the exchange", () => {
  let picture: StateDump;
  let projected: ProjectedPicture;
  before(async () => {
    const simulated = new SimulatedJournal({ seed: 26 });
    await simulated.run(800);
    projected = new ProjectedPicture();
    const half = simulated.ends[Math.floor(simulated.ends.length / 2)] ?? 0;
    projected.add(await simulated.journal.read(1, half), 50);
    projected.add(await simulated.journal.read(half + 1, simulated.head.seq), 1);
    picture = dump(simulated.state);
  });

  /** The picture with another market in the place of the first that is fit for it. */
  const withMarket = (isFit: (market: MarketDump) => boolean, change: (market: MarketDump) => Partial<MarketDump>) => {
    const changed = picture.markets.find(([, market]) => isFit(market));
    if (changed === undefined) throw new Error('no market is fit');
    const markets = picture.markets.map(([id, market]) =>
      id === changed[0] ? ([id, { ...market, ...change(market) }] as const) : ([id, market] as const),
    );
    return { ...picture, markets };
  };

  it('is the same after batches of any size', () => {
    expect(picture.markets.map(([, { phase }]) => phase)).to.include.members(['active', 'void']);
    expect(projected.difference(picture)).to.equal(null);
  });

  it('differs where an account has other cash, or is not there', () => {
    const [[id, account] = expect.fail('no account'), ...others] = picture.accounts;
    for (const [accountId, cash] of [
      [id, account.cash + 1],
      ['nobody', 1],
    ] as const) {
      const accounts = [...others, [accountId, { ...account, cash }] as const];
      expect(projected.difference({ ...picture, accounts })).to.match(
        new RegExp(`^account ${accountId} has \\w+ in the projection, ${cash} in the exchange$`),
      );
    }
  });

  it('differs where a market is not there', () => {
    const [[, market] = expect.fail('no market')] = picture.markets;
    const markets = [['none', market] as const];
    expect(projected.difference({ ...picture, markets })).to.match(/^market none is no market in the projection/);
  });

  const any = (): boolean => true;
  const cases: [string, (market: MarketDump) => boolean, (market: MarketDump) => Partial<MarketDump>, RegExp][] = [
    ['phase', any, () => ({ phase: 'scheduled' }), /\["scheduled",\d.* in the exchange$/],
    ['volume', any, ({ volume }) => ({ volume: volume + 1 }), /^market .* in the exchange$/],
    ['last trade', any, () => ({ lastTrade: 1 }), /^market .* in the exchange$/],
    ['probability', any, () => ({ probabilityHalf: 1 }), /^market .* in the exchange$/],
    ...(['bids', 'asks'] as const).flatMap((side): typeof cases => [
      [
        `amount of ${side}`,
        (market) => market[side].length > 0,
        (market) => ({ [side]: market[side].map(([price, orders]) => [price, [...orders, ...orders]]) }),
        /"\d+ of \d+ at \d+".* in the exchange$/,
      ],
      [
        `best of its ${side}`,
        (market) => market[side].length > 1,
        (market) => ({ [side]: market[side].slice(1) }),
        /has another best price in the projection$/,
      ],
      [
        `${side}, which are none`,
        (market) => market[side].length > 0,
        () => ({ [side]: [] }),
        /has another best price in the projection$/,
      ],
    ]),
    ...(['yes', 'no', 'yesCost', 'noCost'] as const).map((field): (typeof cases)[number] => [
      `position's ${field}`,
      ({ positions }) => positions.length > 0,
      ({ positions }) => ({
        positions: positions.map(([account, position]) => [account, { ...position, [field]: position[field] + 1 }]),
      }),
      /^\S+ holds \{.*\} of \S+ in the projection, \d+ and \d+ in the exchange$/,
    ]),
    [
      'positions, of which one is too many',
      ({ positions }) => positions.length > 0,
      ({ positions }) => ({ positions: positions.slice(1) }),
      /in the projection, 0 and 0 in the exchange$/,
    ],
    [
      'positions, of which one is missing',
      ({ positions }) => positions.length > 0,
      ({ positions }) => ({ positions: [...positions, ['nobody', positions[0]![1]]] }),
      /^nobody hold nothing of \S+ in the projection$/,
    ],
  ];
  for (const [name, isFit, change, message] of cases) {
    it(`differs where a market has another ${name}`, () => {
      expect(projected.difference(withMarket(isFit, change))).to.match(message);
    });
  }
});

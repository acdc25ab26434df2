import { decode } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import { listLedger } from '../src/reads/ledger.ts';
import type { LedgerPosition, LedgerRow } from '../src/reads/ledger.ts';
import type { Page } from '../src/models/page.ts';
import { useReadDatabase } from './read-database.ts';

const SEEDS = [71, 72, 73, 74];
const COMMANDS = 600;

/** Cash by account, and shares by account, market and outcome; what is 0 is left out. */
type Balances = Record<string, number>;

const add = (balances: Balances, name: string, amount: number): void => {
  const sum = (balances[name] ?? 0) + amount;
  if (sum === 0) Reflect.deleteProperty(balances, name);
  else balances[name] = sum;
};

describe('the ledger of a fleet', function () {
  this.timeout(60_000);
  const database = useReadDatabase();
  const types = new Map<string, number>();

  /** The balances in the exchange's state. */
  const held = ({ state }: SimulatedJournal): Balances => {
    const balances: Balances = {};
    for (const [id, { cashUnits }] of state.accounts) add(balances, id, cashUnits);
    for (const [marketId, { positions }] of dump(state).markets) {
      for (const [id, { yes, no }] of positions) {
        add(balances, `${id} ${marketId} yes`, yes);
        add(balances, `${id} ${marketId} no`, no);
      }
    }
    return balances;
  };

  for (const seed of SEEDS) {
    it(`adds up to what its accounts have, whatever happened (seed ${seed})`, async () => {
      const simulated = new SimulatedJournal({ seed });
      await simulated.run(COMMANDS);
      const db = database().db.withSchema(await database().filled(simulated));
      const stored = await simulated.journal.read(1, simulated.head.seq);

      const balances: Balances = {};
      let movements = 0;
      for (const account of simulated.state.accounts.values()) {
        if (account.primary !== null) continue;
        const rows: LedgerRow[] = [];
        for (let after: LedgerPosition | null = [0, 0]; after !== null;) {
          const page: Page<LedgerRow, LedgerPosition> = await listLedger(db, account.id, { limit: 7, after });
          rows.push(...page.items);
          after = page.next;
        }
        const places = rows.map(({ seq, type, outcome }) => `${seq} ${type === 'SharesMerged' ? outcome : 'all'}`);
        expect(new Set(places).size).to.equal(places.length);
        expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map(({ seq }) => seq).sort((a, b) => a - b));
        for (const { seq, eventId, type, accountId, marketId, outcome, cashUnits, shares } of rows) {
          const event = stored[seq - 1];
          expect([event?.type, eventId ?? event?.id]).to.deep.equal([type, event?.id]);
          add(balances, accountId, cashUnits);
          if (marketId !== null) add(balances, `${accountId} ${marketId} ${outcome}`, shares);
          types.set(type, (types.get(type) ?? 0) + 1);
          movements += 1;
        }
      }
      expect(balances).to.deep.equal(held(simulated));
      expect(movements).to.be.greaterThan(50);
      for (const { event } of stored.map(decode)) {
        if (event.type === 'MarketVoided' || event.type === 'MarketResolved') types.set(event.type, 1);
      }
    });
  }

  it('was held against trades, settlements, sub-accounts and voids', () => {
    expect([...types.keys()]).to.include.members([
      'AccountOpened',
      'SubAccountOpened',
      'OrderFilled',
      'PositionSettled',
      'SharesMerged',
      'MarketResolved',
      'MarketVoided',
    ]);
  });
});

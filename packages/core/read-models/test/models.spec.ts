import { readdirSync, readFileSync } from 'node:fs';
import { AUDITED_TABLES } from '@paper/auditor';
import { decode } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { createFold, MODELS } from '../src/models/index.ts';
import { ALL_TABLES } from '../src/models/tables.ts';

/** The tables that the auditor does not compare, each with the reason. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  checkpoint: 'the auditor reads from it up to where the others are folded',
};
/** The table that is not folded from events: the projection writes it with every batch. */
const OF_THE_ENGINE = 'checkpoint';

const MODELS_FOLDER = new URL('../src/models/', import.meta.url);
const PAGE = new URL('../../../../docs/develop/read-models.md', import.meta.url);

const names = Object.keys(MODELS) as (keyof typeof MODELS)[];

describe('a read model', () => {
  const simulated = new SimulatedJournal({ byPrimaries: true, seed: 7 });
  const fold = createFold();
  let planned: ReadonlySet<string>;
  before(async function () {
    this.timeout(30_000);
    await simulated.run(1500);
    for (const event of (await simulated.journal.read(1, simulated.head.seq)).map(decode)) fold.apply(event);
    planned = new Set(fold.planBatch('s').map(({ table }) => table));
  });

  it('is a folder of models, and has its name in the list', () => {
    const folders = readdirSync(MODELS_FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const camelCase = (name: string): string =>
      name.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
    expect(folders.map(({ name }) => camelCase(name))).to.have.members(names);
  });

  it('uses no rows of a model that comes after it in the list', async () => {
    const events = (await simulated.journal.read(1, simulated.head.seq)).map(decode);
    for (const [position, name] of names.entries()) {
      const { beforeEach, on, afterEach } = MODELS[name];
      const allowed = new Set<PropertyKey>(names.slice(0, position + 1));
      const used = new Set<PropertyKey>();
      const rows = new Proxy(createFold().rows, {
        get(of, property) {
          used.add(property);
          return Reflect.get(of, property) as unknown;
        },
      });
      for (const { event, id, seq } of events) {
        for (const handle of [beforeEach, on[event.type], afterEach]) {
          const call = handle as ((event: unknown, at: unknown, rows: unknown) => void) | undefined;
          try {
            call?.(event, { formerName: null, id, seq }, rows);
          } catch (error) {
            // Only what the model asks for counts here: the others have no rows.
            expect(error).to.be.instanceOf(RangeError);
          }
        }
      }
      expect(
        [...used].filter((property) => !allowed.has(property)),
        name,
      ).to.deep.equal([]);
    }
  });

  for (const { name: table } of ALL_TABLES) {
    describe(`with the table ${table}`, () => {
      if (table !== OF_THE_ENGINE) {
        it('is the only model that has it', () => {
          const owners = names.filter((name) => MODELS[name].tables.some((of) => of.name === table));
          expect(owners, 'add it to `tables` of one model').to.have.length(1);
        });

        it('has rows in a journal like the one that proves the rebuild', () => {
          expect(planned.has(table), 'let the workload of testkit cause rows of it').to.equal(true);
        });
      }

      it('is compared by the auditor, or stands on a list with the reason', () => {
        const isAudited = table in AUDITED_TABLES;
        expect(isAudited || table in NOT_AUDITED, 'fold it in packages/core/auditor/src/verify/rows').to.equal(true);
        expect(isAudited && table in NOT_AUDITED, 'it is compared: take it from the list').to.equal(false);
      });

      if (table !== OF_THE_ENGINE) {
        it('is in docs/develop/read-models.md', () => {
          const isThere = readFileSync(PAGE, 'utf8').includes(`### \`${table}\``);
          expect(isThere, 'run node --import tsx scripts/docs/write.ts, then npm run format').to.equal(true);
        });
      }
    });
  }
});

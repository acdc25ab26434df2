import { longTest } from '@paper/testkit';
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspaceFolders } from '../run/workspace.mjs';
import { exportedNames } from './exported-names.ts';

/**
 * A gate that checks nothing would pass too, so each must fail on a violation. The violations are made in a copy in a
 * temporary folder.
 */
const root = path.resolve(import.meta.dirname, '../..');

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

/**
 * Files that are exported beside an index: the subjects of the contracts, of the exchange, of the runtime and of the testkit, so that one
 * loads and reads no other, and what browsers need alone (units, and the file that checks journals).
 */
const BESIDE_INDEX: Readonly<Record<string, string>> = {
  './accounts': './src/accounts/index.ts',
  './backtests': './src/backtests/index.ts',
  './coordination': './src/coordination/index.ts',
  './queues': './src/queues/index.ts',
  './resources': './src/resources/index.ts',
  './journal': './src/journal/index.ts',
  './markets': './src/markets/index.ts',
  './operator': './src/operator/index.ts',
  './orders': './src/orders/index.ts',
  './portfolio': './src/portfolio/index.ts',
  './service': './src/service/index.ts',
  './signals': './src/signals/index.ts',
  './units': './src/units.ts',
  './commands': './src/commands.ts',
  './events': './src/events.ts',
  './fields': './src/fields.ts',
  './snapshot': './src/snapshot/index.ts',
  './vocabulary': './src/vocabulary.ts',
  './browser': './src/browser.ts',
  './verify-journal': './src/verify-journal.mjs',
  './dumps': './src/dumps/index.ts',
  './exchange': './src/exchange/index.ts',
  './failover': './src/failover/index.ts',
  './http': './src/http/index.ts',
  './servers': './src/servers/index.ts',
};

/** A package with more names has several subjects, or shows what nobody needs. */
const NAMES_MAX = 60;

/** The published client exports the type of each answer by its name; entries by subject would change its interface. */
const PUBLISHED = 'paper-trading-client';

/** The exports of a package that are neither its index, nor one named file of its tests, nor one of those. */
function wrongExports({ exports }: Pick<Manifest, 'exports'>): readonly string[] {
  return Object.entries(exports)
    .filter(([name, file]) => {
      if (name === '.') return file !== './src/index.ts';
      const beside = BESIDE_INDEX[name];
      if (beside !== undefined) return file !== beside;
      return name.includes('*') || !name.startsWith('./test/') || !file.startsWith('./test/');
    })
    .map(([name]) => name);
}

interface Verdict {
  readonly status: number | null;
  readonly output: string;
}

function run(tool: string, args: readonly string[], cwd: string): Verdict {
  const result = spawnSync(process.execPath, [path.join(root, 'node_modules', tool), ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status: result.status, output: result.stdout + result.stderr };
}

describe('the gates of npm run check', function () {
  this.timeout(240_000);
  let copy: string;

  before(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'gates-'));
    for (const file of ['.oxlintrc.json', 'tsconfig.json', 'tsconfig.base.json', 'package.json']) {
      cpSync(path.join(root, file), path.join(copy, file));
    }
    for (const name of ['exchange', 'auditor', 'contracts']) {
      const folder = `packages/core/${name}`;
      cpSync(path.join(root, folder), path.join(copy, folder), {
        recursive: true,
        filter: (source) => path.basename(source) !== 'node_modules',
      });
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  });

  after(() => rmSync(copy, { recursive: true, force: true }));

  const violate = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), text);
  };

  it('exports: packages export their index alone, and what tests share', () => {
    const folders = workspaceFolders(root).map((folder) => path.join(root, folder, 'package.json'));
    expect(folders.length).to.be.greaterThan(20);
    for (const file of folders) {
      expect(wrongExports(JSON.parse(readFileSync(file, 'utf8')) as Manifest), file).to.deep.equal([]);
    }
  });

  it(`exports: an index, and each entry beside it, has at most ${NAMES_MAX} names`, () => {
    for (const folder of workspaceFolders(root)) {
      const { exports, name } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
      if (name === PUBLISHED) continue;
      for (const file of Object.values(exports)) {
        expect(exportedNames(path.join(root, folder, file)).size, `${name} ${file}`).to.be.within(1, NAMES_MAX);
      }
    }
  });

  it('exports: a pattern, a file behind the index, and another index are found', () => {
    const exports = {
      '.': './src/main.ts',
      './*': './src/*.ts',
      './verify': './src/verify.ts',
      './test/a': './test/a.ts',
    };
    expect(wrongExports({ exports })).to.deep.equal(['.', './*', './verify']);
  });

  it('compose file: a key that Compose does not have is refused', () => {
    const text = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
    violate('docker-compose.yml', text.replace('restart: unless-stopped', 'restrat: unless-stopped'));
    cpSync(path.join(root, 'infra/dclint.json'), path.join(copy, 'infra/dclint.json'));
    const { status, output } = run(
      'dclint/bin/dclint.cjs',
      ['--config', 'infra/dclint.json', '--max-warnings', '0', 'docker-compose.yml'],
      copy,
    );
    expect(output).to.contain('must NOT have additional properties');
    expect(status).to.equal(1);
  });

  it('image: an instruction that there is not is refused', () => {
    violate('infra/Dockerfile', 'FROM node:24\nRUNN true\n');
    const { status, output } = run('dockerfile-utils/bin/dockerfile-utils', ['lint', 'infra/Dockerfile'], copy);
    expect(output).to.contain('RUNN');
    expect(status).to.equal(1);
  });

  const lint = (file: string): Verdict => run('oxlint/bin/oxlint', [file], copy);

  it('lint: the exchange cannot read a clock, randomness or the process', function () {
    longTest(this);
    violate(
      'packages/core/exchange/src/violation.ts',
      'export const now = Date.now();\nexport const luck = Math.random();\nexport const env = process.env;\n',
    );
    const { status, output } = lint('packages/core/exchange/src/violation.ts');
    rmSync(path.join(copy, 'packages/core/exchange/src/violation.ts'));
    expect(output)
      .to.contain('Time is an input')
      .and.contain('Randomness is an input')
      .and.contain('The exchange reads nothing but its state and its command');
    expect(status).to.equal(1);
  });

  it('lint: the command side and the read models know no error of HTTP', function () {
    longTest(this);
    for (const folder of ['command-side', 'read-models']) {
      const file = `packages/core/${folder}/src/violation.ts`;
      violate(
        file,
        "import { ApiError } from '@paper/contracts';\nexport const gone = new ApiError('not_found', '');\n",
      );
      const { status, output } = lint(file);
      rmSync(path.join(copy, file));
      expect(output).to.contain('Ports know no HTTP: throw a PortError.');
      expect(status).to.equal(1);
    }
  });

  it('lint: a body over two lines without braces, and a type among values, are refused', function () {
    longTest(this);
    const file = 'packages/core/auditor/src/violation.ts';
    for (const [text, rule] of [
      ['export function least(a: number, b: number): number {\n  if (a < b)\n    return a;\n  return b;\n}\n', 'curly'],
      [
        "import { z, type ZodType } from 'zod';\nexport const any: ZodType = z.any();\n",
        'consistent-type-specifier-style',
      ],
    ] as const) {
      violate(file, text);
      const { status, output } = lint(file);
      rmSync(path.join(copy, file));
      expect(output).to.contain(rule);
      expect(status).to.equal(1);
    }
  });

  it('lint: a promise without await is refused, which needs types', () => {
    violate('packages/core/auditor/src/violation.ts', 'export const go = (): void => {\n  Promise.resolve(1);\n};\n');
    const { status, output } = lint('packages/core/auditor/src/violation.ts');
    rmSync(path.join(copy, 'packages/core/auditor/src/violation.ts'));
    expect(output).to.contain('no-floating-promises');
    expect(status).to.equal(1);
  });

  it('lint: a function of more than 80 lines is refused, except in tests', function () {
    longTest(this);
    const statements = (count: number): string =>
      `  lines += 1;\n\n  // A comment and an empty line do not count.\n`.repeat(count);
    const text = (count: number): string =>
      `export function long(lines: number): number {\n${statements(count)}  return lines;\n}\n`;
    const verdictOf = (file: string, count: number): Verdict => {
      violate(file, text(count));
      const verdict = lint(file);
      rmSync(path.join(copy, file));
      return verdict;
    };
    const { status, output } = verdictOf('packages/core/auditor/src/violation.ts', 78);
    expect(output).to.contain('max-lines-per-function').and.contain('(81)');
    expect(status).to.equal(1);
    expect(verdictOf('packages/core/auditor/src/violation.ts', 77).status).to.equal(0);
    expect(verdictOf('packages/core/auditor/test/violation.ts', 78).status).to.equal(0);
  });

  it('types: a text in place of a number is refused', function () {
    longTest(this);
    violate('packages/core/auditor/src/violation.ts', "export const price: number = 'one';\n");
    const { status, output } = lint('packages/core/auditor/src/violation.ts');
    rmSync(path.join(copy, 'packages/core/auditor/src/violation.ts'));
    expect(output).to.contain("Type 'string' is not assignable to type 'number'");
    expect(status).to.equal(1);
  });

  it("types: without Node's types the exchange cannot name a Buffer", () => {
    violate('packages/core/exchange/src/violation.ts', 'export const bytes = Buffer.alloc(1);\n');
    const { status, output } = run(
      'typescript/bin/tsc',
      ['--noEmit', '-p', 'packages/core/exchange/tsconfig.json'],
      copy,
    );
    rmSync(path.join(copy, 'packages/core/exchange/src/violation.ts'));
    expect(output).to.contain("Cannot find name 'Buffer'");
    expect(status).to.be.greaterThan(0);
  });
});

import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A rule that matches nothing would pass too, so each must find a violation. All are in one copy of a few packages, and
 * in one run of the gate.
 */
const root = path.resolve(import.meta.dirname, '../..');

/** Files that violations import, beside the copied packages. */
const IMPORTED: Readonly<Record<string, string>> = {
  'packages/clients/client/src/index.ts': 'export {};',
  'packages/operations/backup/src/index.ts': 'export {};',
  'packages/testing/testkit/src/index.ts': 'export {};',
  'packages/core/read-models/src/models/tables.ts': 'export {};',
  'packages/core/read-models/src/reads/pulse.ts': 'export {};',
  'packages/core/auditor/src/circle-b.ts': "import './circle-a.ts';",
  'services/query-api/src/index.ts': 'export {};',
  'services/standalone/src/main.ts': 'export {};',
  'services/backtests/src/process/violation.ts': 'export {};',
  'services/portal/src/portal.ts': 'export {};',
  'services/portal/src/http/app.ts': 'export {};',
  'services/portal/web/app/app.tsx': 'export {};',
  'services/portal/web/data/session/session.tsx': 'export {};',
};

interface Violation {
  readonly rule: string;
  readonly file: string;
  /** The module that the file imports. */
  readonly imports: string;
}

interface Rule {
  readonly name: string;
  /** Where the thing belongs whose import breaks the rule. */
  readonly comment?: string;
}

const violation = (rule: string, file: string, imports: string): Violation => ({ rule, file, imports });

const VIOLATIONS: readonly Violation[] = [
  violation('no-circles', 'packages/core/auditor/src/circle-a.ts', './circle-b.ts'),
  violation('resolvable', 'packages/core/auditor/src/violation.ts', './nowhere.ts'),
  violation('kit-knows-no-other-group', 'packages/kit/timing/src/violation.ts', '../../../core/exchange/src/index.ts'),
  violation('core-knows-kit', 'packages/core/read-models/src/violation.ts', '../../../clients/client/src/index.ts'),
  violation('core-knows-kit', 'packages/core/pulse/test/violation.ts', '../../../operations/backup/src/index.ts'),
  violation(
    'clients-knows-core-and-kit',
    'packages/clients/pmxt/src/violation.ts',
    '../../../operations/backup/src/index.ts',
  ),
  violation(
    'operations-knows-core-and-kit-and-clients',
    'packages/operations/backup/src/violation.ts',
    '../../../../services/query-api/src/index.ts',
  ),
  violation('exchange-imports-nothing', 'packages/core/exchange/src/of-node.ts', 'node:fs'),
  violation('exchange-imports-nothing', 'packages/core/exchange/src/of-npm.ts', 'zod'),
  violation('exchange-imports-nothing', 'packages/core/exchange/src/of-ours.ts', '../../contracts/src/index.ts'),
  violation('exchange-layers', 'packages/core/exchange/src/permissions.ts', './state/account.ts'),
  violation('exchange-layers', 'packages/core/exchange/src/state/violation.ts', '../orders/cancel.ts'),
  violation('exchange-layers', 'packages/core/exchange/src/orders/violation.ts', '../markets/list.ts'),
  violation('exchange-layers', 'packages/core/exchange/src/accounts/violation.ts', '../decider.ts'),
  violation('auditor-folders-in-order', 'packages/core/auditor/src/events/violation.ts', '../verify/verify.ts'),
  violation('auditor-folders-in-order', 'packages/core/auditor/src/utils/violation.ts', '../events/judged-events.ts'),
  violation('read-models-folders-in-order', 'packages/core/read-models/src/engine/violation.ts', '../models/tables.ts'),
  violation('read-models-folders-in-order', 'packages/core/read-models/src/models/of-a-read.ts', '../reads/pulse.ts'),
  violation('ledger-and-twin-are-made-apart', 'packages/core/auditor/src/ledger/another.ts', '../twin/twin.ts'),
  violation('auditor-shares-no-code', 'packages/core/auditor/src/sharing.ts', '../../exchange/src/index.ts'),
  violation(
    'contracts-import-the-vocabulary-only',
    'packages/core/contracts/src/violation.ts',
    '../../exchange/src/index.ts',
  ),
  violation('contracts-layers', 'packages/core/contracts/src/errors.ts', './markets/market.ts'),
  violation('contracts-layers', 'packages/core/contracts/src/orders/violation.ts', '../accounts/account.ts'),
  violation('contracts-layers', 'packages/core/contracts/src/other/violation.ts', '../units.ts'),
  violation('vocabulary-imports-nothing', 'packages/core/exchange/src/vocabulary.ts', './money.ts'),
  violation('units-import-the-vocabulary-only', 'packages/core/contracts/src/units.ts', './errors.ts'),
  violation(
    'client-imports-nothing-of-ours',
    'packages/clients/client/src/violation.ts',
    '../../../core/contracts/src/index.ts',
  ),
  violation(
    'journal-knows-the-exchange-only',
    'packages/core/journal/src/violation.ts',
    '../../contracts/src/index.ts',
  ),
  violation('opentelemetry-is-loaded-where-asked-for', 'services/query-api/src/violation.ts', '@opentelemetry/api'),
  violation('http-knows-the-contracts-only', 'packages/core/http/src/violation.ts', '../../exchange/src/index.ts'),
  violation('command-side-has-no-http', 'packages/core/command-side/src/violation.ts', 'node:http'),
  violation('services-do-not-know-each-other', 'services/projector/src/violation.ts', '../../query-api/src/index.ts'),
  violation(
    'packages-are-imported-by-their-index',
    'packages/core/auditor/src/behind.ts',
    '../../contracts/src/errors.ts',
  ),
  violation(
    'scripts-import-packages-by-their-index',
    'scripts/violation.ts',
    '../packages/core/contracts/src/errors.ts',
  ),
  violation('nobody-imports-a-main', 'services/standalone/src/violation.ts', './main.ts'),
  violation('backtests-layers', 'services/backtests/src/play/violation.ts', '../process/violation.ts'),
  violation(
    'backtests-compose-what-they-play-on',
    'services/backtests/src/host/violation.ts',
    '../../../portal/src/portal.ts',
  ),
  violation('portal-server-layers', 'services/portal/src/identity/violation.ts', '../http/app.ts'),
  violation('portal-server-layers', 'services/portal/src/http/violation.ts', '../portal.ts'),
  violation('portal-web-layers', 'services/portal/web/ui/violation.tsx', '../data/session/session.tsx'),
  violation('portal-web-layers', 'services/portal/web/other/violation.ts', '../app/app.tsx'),
  violation('portal-data-layers', 'services/portal/web/data/api/violation.ts', '../session/session.tsx'),
  violation('browsers-load-no-server-code', 'services/portal/web/app/violation.ts', '../../src/portal.ts'),
  violation(
    'no-test-code-in-what-runs',
    'packages/operations/backup/src/testing.ts',
    '../../../testing/testkit/src/index.ts',
  ),
];

describe('the rules of imports', function () {
  this.timeout(240_000);
  let copy: string;
  let output: string;
  let rules: readonly Rule[];

  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), `${text}\n`);
  };

  before(async () => {
    const config = pathToFileURL(path.join(root, '.dependency-cruiser.mjs')).href;
    rules = ((await import(config)) as { default: { forbidden: readonly Rule[] } }).default.forbidden;
    copy = mkdtempSync(path.join(tmpdir(), 'import-rules-'));
    for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'tsconfig.base.json', 'package.json']) {
      cpSync(path.join(root, file), path.join(copy, file));
    }
    for (const folder of ['auditor', 'contracts', 'exchange'].map((name) => `packages/core/${name}`)) {
      cpSync(path.join(root, folder, 'src'), path.join(copy, folder, 'src'), { recursive: true });
      symlinkSync(path.join(root, folder, 'node_modules'), path.join(copy, folder, 'node_modules'));
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    for (const [file, text] of Object.entries(IMPORTED)) write(file, text);
    for (const { file, imports } of VIOLATIONS) write(file, `import '${imports}';`);
    const tool = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const args = ['--config', '.dependency-cruiser.mjs', '-T', 'err-long', 'packages', 'services', 'scripts'];
    const cruise = spawnSync(process.execPath, [tool, ...args], { cwd: copy, encoding: 'utf8' });
    // A comment is wrapped over lines.
    output = cruise.stdout.replaceAll(/\s+/g, ' ');
    expect(cruise.status, cruise.stderr).to.be.greaterThan(0);
  });

  after(() => rmSync(copy, { recursive: true, force: true }));

  for (const { rule, file, imports } of VIOLATIONS) {
    it(`${rule}: ${file} may not import ${imports}, and is told where the thing belongs`, () => {
      expect(output).to.contain(`error ${rule}: ${file} →`);
      const { comment } = rules.find(({ name }) => name === rule) ?? {};
      expect(output).to.contain(comment?.replaceAll(/\s+/g, ' '));
    });
  }

  it('allow what the copied packages import, and those are really read', () => {
    expect(Number(/(\d+) modules/.exec(output)?.[1])).to.be.greaterThan(60);
    const made = new Set([...Object.keys(IMPORTED), ...VIOLATIONS.map(({ file }) => file)]);
    // A violation may close a circle, which is shown at any of its modules.
    const refused = [...output.matchAll(/ error (?!no-circles)\S+: (\S+)/g)].map(([, file = '']) => file);
    expect(refused.filter((file) => !made.has(file))).to.deep.equal([]);
  });

  it('are all proved here, and each says where a thing belongs', () => {
    const proved = new Set(VIOLATIONS.map(({ rule }) => rule));
    expect(rules.filter(({ name, comment = '' }) => !proved.has(name) || comment === '')).to.deep.equal([]);
  });
});

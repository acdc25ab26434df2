import { execFile } from 'node:child_process';
import path from 'node:path';
import { startStandalone } from '@paper/testkit';
import type { RunningStandalone } from '@paper/testkit';
import { expect } from 'chai';
import { pythonWith, skipWithout } from './python.ts';

const folder = path.resolve(import.meta.dirname, '..');

interface Ended {
  readonly code: number | string | null | undefined;
  readonly output: string;
}

/** Runs a program in the package's folder, with its modules on the path. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd: folder, env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1', ...env } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? (error === null ? 0 : null), output: stdout + stderr }),
    );
  });
}

/** The pytest suite, and all else that needs a service: one standalone for all of it. */
describe('the Python client', function () {
  this.timeout(120_000);
  let service: RunningStandalone | null = null;
  const python = pythonWith('pytest');

  before(async function () {
    skipWithout(this, python, 'a Python with pytest (apt-get install python3-pytest)');
    service = await startStandalone({ env: { DEMO: 'on', HOUSE_BOTS: 'on', RATE_LIMITS: 'on' } });
  });

  after(() => service?.stop());

  const serviceFile = (): string => path.join(service?.dataDir ?? '', 'service.json');

  it('passes its pytest suite', async function () {
    skipWithout(this, python, 'pytest');
    const { code, output } = await run(python, ['-m', 'pytest', '-q'], { PAPERTRADING_SERVICE: serviceFile() });
    expect(code, output).to.equal(0);
    expect(output).to.match(/\d{2,} passed/);
  });
});

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pythonWheel } from '@paper/client-python';
import { longTest, runCommand } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { pythonWith, skipWithout } from './python.ts';

const folder = path.resolve(import.meta.dirname, '..');
const FIRST_ORDER_MS_MAX = 60_000;

interface Ended {
  readonly code: number | string | null | undefined;
  readonly output: string;
}

/** Runs a program, with the package's modules on Python's path unless `env` has another. */
function run(
  program: string,
  args: readonly string[],
  { cwd = folder, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const settings = { ...process.env, PYTHONPATH: path.join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1', ...env };
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: settings }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? null), output: stdout + stderr }),
    );
  });
}

async function succeeds(...of: Parameters<typeof run>): Promise<string> {
  const { code, output } = await run(...of);
  expect(code, output).to.equal(0);
  return output;
}

/** The code blocks of the README in a language. */
function readmeBlock(language: 'sh' | 'python'): string {
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? expect.fail(`no ${language}`);
}

describe('the Python client', function () {
  this.timeout(180_000);
  // One for all of it: the pytest suite makes markets and accounts of its own.
  let service: RunningStandalone;
  let scratch: string;
  const python = pythonWith('pytest');

  before(async function () {
    skipWithout(this, python, 'a Python with pytest (apt-get install python3-pytest)');
    scratch = mkdtempSync(path.join(tmpdir(), 'client-python-'));
    service = await startStandalone({ env: { DEMO: 'on', HOUSE_BOTS: 'on', RATE_LIMITS: 'on' } });
  });

  after(async () => {
    if (python === null) return;
    await service.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  const pytest = (program: string): Promise<Ended> =>
    run(program, ['-m', 'pytest', '-q'], {
      env: { PAPERTRADING_SERVICE: path.join(service.dataDir, 'service.json') },
    });

  it('passes its pytest suite', async function () {
    skipWithout(this, python, 'pytest');
    const { code, output } = await pytest(python);
    expect(code, output).to.equal(0);
    expect(output).to.match(/\d{2,} passed/);
  });

  it('passes it on PyPy, whose language is Python 3.9', async function () {
    longTest(this);
    const pypy = pythonWith('__pypy__', 'pytest');
    skipWithout(this, pypy, 'a pypy3 that finds pytest (apt-get install pypy3 python3-pytest)');
    const { code, output } = await pytest(pypy);
    expect(code, output).to.equal(0);
  });

  it('has types that pyright holds at 3.9', async function () {
    longTest(this);
    expect(await succeeds(path.join(folder, 'node_modules/.bin/pyright'), [])).to.include('0 errors');
  });

  it("gets from the README's lines in an empty folder to a filled order within a minute", async function () {
    longTest(this);
    const base = pythonWith('venv', 'ensurepip');
    skipWithout(this, base, 'a Python with venv (apt-get install python3-venv)');
    const startedMs = performance.now();
    const here = path.join(scratch, 'empty');
    mkdirSync(path.join(here, 'data'), { recursive: true });
    cpSync(path.join(service.dataDir, 'service.json'), path.join(here, 'data/service.json'));
    await succeeds(base, ['-m', 'venv', 'venv'], { cwd: here });
    const ofReader = { cwd: here, env: { PYTHONPATH: '', PATH: `${here}/venv/bin:${process.env['PATH'] ?? ''}` } };
    const at = (text: string): string => text.replaceAll('http://localhost:4000', service.baseUrl);
    // Nothing of a registry: the address alone.
    await succeeds('sh', ['-ec', at(readmeBlock('sh'))], {
      ...ofReader,
      env: { ...ofReader.env, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' },
    });
    const output = await succeeds('python', ['-c', at(readmeBlock('python'))], ofReader);
    expect(output)
      .to.match(/^filled 5 at 0\.\d+ /m)
      .and.to.match(/^OrderFilled up to event \d+$/m);
    expect(performance.now() - startedMs).to.be.below(FIRST_ORDER_MS_MAX);
  });

  it('is built by setuptools into a wheel of the same files, and an sdist', async function () {
    longTest(this);
    skipWithout(this, pythonWith('build', 'setuptools', 'wheel'), 'python3-build, python3-setuptools, python3-wheel');
    const out = path.join(scratch, 'built');
    const { code, output } = await runCommand(['build:python', out], scratch);
    expect(code, output).to.equal(0);
    const { bytes, fileName } = pythonWheel();
    expect(readdirSync(out).sort()).to.deep.equal([fileName, fileName.replace('-py3-none-any.whl', '.tar.gz')]);
    const [ours, theirs] = [bytes, readFileSync(path.join(out, fileName))].map((wheel) => unzipSync(wheel));
    expect(Object.keys(ours ?? {}).sort()).to.deep.equal(Object.keys(theirs ?? {}).sort());
    for (const [name, text] of Object.entries(ours ?? {})) {
      if (!name.includes('.dist-info/')) expect(Buffer.from(theirs?.[name] ?? []).equals(text), name).to.equal(true);
    }
    const metadata = Object.keys(ours ?? {}).find((name) => name.endsWith('/METADATA')) ?? '';
    const lines = Buffer.from(theirs?.[metadata] ?? [])
      .toString()
      .split('\n');
    const said = Buffer.from(ours?.[metadata] ?? [])
      .toString()
      .trim()
      .split('\n');
    expect(said.filter((line) => !lines.includes(line))).to.deep.equal([]);
  });
});

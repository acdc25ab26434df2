import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';

const BUILT_SERVICES = path.resolve(import.meta.dirname, '../run/built-services.mjs');

describe('a build of the services', () => {
  let root: string;
  let builds: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'services-'));
    builds = path.join(root, '.cache/services');
    for (const folder of ['packages', 'services', 'scripts', 'node_modules']) mkdirSync(path.join(root, folder));
    symlinkSync(path.resolve(import.meta.dirname, '../../node_modules/tsx'), path.join(root, 'node_modules/tsx'));
    for (const file of ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json']) {
      writeFileSync(path.join(root, file), '{}');
    }
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Starts a build whose step of the portal's pages is this program, in a process group of its own, as a terminal does. */
  const build = (pages: string): ChildProcess => {
    const file = path.join(root, 'services/portal/src/pages/write-bundle.ts');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, pages);
    const code = `
      const { builtServices } = await import(${JSON.stringify(BUILT_SERVICES)});
      process.exitCode = (await builtServices(process.cwd())) === null ? 3 : 0;`;
    return spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
      detached: true,
      env: { ...process.env, PAPER_BUILT: undefined },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  };

  it('leaves nothing where it is interrupted', async () => {
    const begun = path.join(root, 'begun');
    const child = build(`
      import { mkdirSync } from 'node:fs';
      mkdirSync(process.argv[2], { recursive: true });
      mkdirSync(${JSON.stringify(begun)});
      setTimeout(() => {}, 600_000);`);
    await eventually('a step runs', () => existsSync(begun));
    const ended = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await ended).to.deep.equal([130, null]);
    expect(readdirSync(builds)).to.deep.equal([]);
  });

  it('removes one that was killed, and not one that still runs', async () => {
    const { pid: ended } = spawnSync('true');
    const [killed, running] = [ended, process.pid].map((pid) => path.join(builds, `${'0'.repeat(32)}.${pid}`));
    for (const folder of [killed, running]) mkdirSync(folder as string, { recursive: true });
    const [code] = (await once(build('process.exit(1)'), 'exit')) as [number];
    expect(code).to.equal(3);
    expect(readdirSync(builds)).to.deep.equal([path.basename(running as string)]);
  });

  it('is given up with the reason where its folder cannot be written', async () => {
    writeFileSync(path.join(root, '.cache'), '');
    const child = build('');
    const [said] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
    expect(child.exitCode).to.equal(3);
    expect(said).to.match(/^The services could not be built, so they start from their sources: EN?[A-Z]+: .*\.\n$/);
  });
});

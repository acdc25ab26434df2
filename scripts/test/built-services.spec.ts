import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';

const BUILT_SERVICES = path.resolve(import.meta.dirname, '../run/built-services.mjs');

describe('a build of the services', () => {
  let root: string;
  let builds: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'services-'));
    builds = path.join(root, '.cache/services');
    for (const folder of ['packages', 'services', 'scripts', 'node_modules/.bin']) {
      mkdirSync(path.join(root, folder), { recursive: true });
    }
    for (const file of ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json', 'tsconfig.build.json']) {
      writeFileSync(path.join(root, file), '{}');
    }
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Starts a build, with this shell script as the compiler, in a process group of its own, as a terminal does. */
  const build = (compiler: string): ChildProcess => {
    writeFileSync(path.join(root, 'node_modules/.bin/tsc'), `#!/bin/sh\n${compiler}\n`, { mode: 0o755 });
    const code = `
      const { builtServices } = await import(${JSON.stringify(BUILT_SERVICES)});
      process.exitCode = (await builtServices(process.cwd())) === null ? 3 : 0;`;
    return spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
      detached: true,
      env: { ...process.env, PAPER_BUILT: undefined },
      stdio: 'ignore',
    });
  };

  it('leaves nothing where it is interrupted', async () => {
    const child = build('mkdir -p "$4" && exec sleep 600');
    await eventually('the compiler runs', () => existsSync(builds) && readdirSync(builds).length > 0);
    const ended = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await ended).to.deep.equal([130, null]);
    expect(readdirSync(builds)).to.deep.equal([]);
  });

  it('removes one that was killed, and not one that still runs', async () => {
    const { pid: ended } = spawnSync('true');
    const [killed, running] = [ended, process.pid].map((pid) => path.join(builds, `${'0'.repeat(32)}.${pid}`));
    for (const folder of [killed, running]) mkdirSync(folder as string, { recursive: true });
    const [code] = (await once(build('exit 1'), 'exit')) as [number];
    expect(code).to.equal(3);
    expect(readdirSync(builds)).to.deep.equal([path.basename(running as string)]);
  });
});

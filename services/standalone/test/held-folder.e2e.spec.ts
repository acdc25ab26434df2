import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { killAtExit } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { builtProgram, temporaryDataDir } from '@paper/testkit/exchange';

describe('npm start, where a command runs the database of the folder', function () {
  this.timeout(120_000);

  it('says who has the folder, and starts when that ends: an export made the start before it fail', async () => {
    const folder = temporaryDataDir();
    const { dataDir } = folder;
    const holder = await startEmbeddedPostgres({ dataDir });
    const { args, cwd } = await builtProgram('services/standalone/src/main');
    const env = { ...process.env, PORT: '0', DEMO: 'off', HOUSE_BOTS: 'off', DATA_DIR: dataDir };
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    killAtExit(child);
    const ended = once(child, 'exit');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    try {
      const holding = new RegExp(`${dataDir} is in use by .* \\(pid ${process.pid}\\)\\. .* Waiting for at most 30 s`);
      await eventually('the start says who has the folder', () => holding.test(output));
      await holder.stop();
      await eventually('the service is ready', () => output.includes('Ready at '));
    } finally {
      await holder.stop();
      child.kill('SIGINT');
      await ended;
      folder.remove();
    }
  });
});

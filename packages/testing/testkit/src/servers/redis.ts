import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort, killAtExit } from '@paper/runtime';

let server: Promise<string> | null = null;

/** The URL of a Redis: REDIS_URL, or else one of this process, which ends with it. */
export function testRedis(): Promise<string> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined && given !== '') return Promise.resolve(given);
  return (server ??= startRedis());
}

async function startRedis(): Promise<string> {
  for (;;) {
    const port = await freePort();
    const options = [
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', '/tmp'],
      ...['--save', '', '--appendonly', 'no'],
    ];
    const redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
    killAtExit(redis);
    const ready = new Promise<boolean>((resolve) => {
      createInterface({ input: redis.stdout }).on('line', (line) => {
        if (line.includes('Ready to accept connections')) resolve(true);
      });
    });
    if (await Promise.race([ready, once(redis, 'exit').then(() => false)])) return `redis://127.0.0.1:${port}`;
  }
}

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { environmentOf, killLeftovers } from './leftovers.mjs';

/**
 * Starts a process of mocha (`scripts/mocha/worker.mjs`) that runs items one after the other. `folder` is for its
 * output: a file is written in order, and no leftover can hold it open.
 */
export function startWorker(root, options, folder) {
  const run = randomUUID();
  const file = path.join(folder, run);
  const output = openSync(file, 'a');
  const child = spawn(process.execPath, [path.join(root, 'scripts/mocha/worker.mjs'), run, ...options], {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}), ...environmentOf(run) },
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  const ended = once(child, 'exit').then(([code, signal]) => {
    killLeftovers(run);
    return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
  });
  let bytesRead = 0;
  const readOutput = () => {
    const bytes = readFileSync(file).subarray(bytesRead);
    bytesRead += bytes.length;
    return bytes.toString();
  };
  return {
    kill: (signal) => child.kill(signal),
    /** Resolves to the item's result; `hasEnded`: the process ended instead of finishing it. */
    async run({ files }, built) {
      const startedMs = performance.now();
      const done = once(child, 'message').then(() => null);
      // Sending to a process that has ended fails; its end is the answer.
      child.send({ files, built }, () => undefined);
      const end = await Promise.race([done, ended]);
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
      return { hasEnded: end !== null, ...resultOf(files, seconds, readOutput(), end) };
    },
    /** Ends the process, and returns what it has written since the last item. */
    async end() {
      if (child.connected) child.disconnect();
      await ended;
      return readOutput();
    },
  };
}

/** Reads mocha's output. `end`: how the process ended while it ran the files; null if it finished them. */
function resultOf(files, seconds, output, end) {
  const [closingLine = '', passed = 0, failed = 0, skipped = 0] =
    /(\d+) passed, (\d+) failed, (\d+) skipped\n$/.exec(output) ?? [];
  const counts = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  const title = `\n${files.join('\n')} (${seconds} s)\n`;
  const text = withoutEmptyEnds(output.slice(0, output.length - closingLine.length));
  const failing = /^\S* {2}\d+ failing[\s\S]*/m.exec(text)?.[0] ?? '';
  if (end === null) return { counts, output: text && title + text, failure: failing && title + failing };
  counts.failed = Math.max(1, counts.failed);
  const failure = `  1 failing\n\n  1) the process of these specs ${end}\n`;
  return { counts, output: `${title}${text}\n${failure}`, failure: title + failure };
}

const withoutEmptyEnds = (text) => text.replace(/^\n+/, '').replace(/\n+$/, '\n');

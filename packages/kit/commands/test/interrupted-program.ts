import { setTimeout } from 'node:timers/promises';
import { interruption, runCommand, showProgress } from '../src/index.ts';

/** Works for a test until it is interrupted. With `silent` it shows no progress after the first, as beside a silent server. */
Object.defineProperty(process.stderr, 'isTTY', { value: true });
const isSilent = process.argv.pop() === 'silent';

await runCommand('snapshot', async () => {
  interruption();
  const progress = showProgress();
  try {
    for (let done = 1; ; done += 1) {
      progress.show('copying', done, 1_000_000);
      await setTimeout(isSilent ? 60_000 : 10);
    }
  } finally {
    progress.clear();
    process.stdout.write('what was begun is removed');
  }
});

import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import Mocha from 'mocha';
import { register } from 'tsx/esm/api';
import { killLeftovers } from '../run/leftovers.mjs';
import { onEndSignal } from '../run/signals.mjs';
import { closingLine, progress } from './closing-line.mjs';
import { ItemReporter } from './item-reporter.mjs';
import { importSpecs, MOCHA_OPTIONS } from './specs.mjs';

/**
 * A worker of a test run (`scripts/run/test-queue.mjs`): runs the specs of each message, answers it, and prints a
 * closing line, until its parent disconnects. Arguments: the id of its run, which its processes inherit, and mocha's
 * options.
 */
const require = createRequire(import.meta.url);
const { loadOptions } = require('mocha/lib/cli/options.js');
const { handleRequires } = require('mocha/lib/cli/run-helpers.js');

const [run, ...args] = process.argv.slice(2);
/** Whether specs run at this moment. */
let isRunning = false;

process.setSourceMapsEnabled(true);
register();
importSpecs();
const options = inCamelCase(loadOptions([...MOCHA_OPTIONS, ...args]));
await handleRequires(options.require);

process.on('message', ({ files, built }) => void runSpecs(files, built).then(() => process.send('done')));
process.once('exit', finish);
process.once('disconnect', () => end(0));
onEndSignal(end);

/** Runs the files by mocha. `built`: the folder of the built programs; null while they are being built. */
async function runSpecs(files, built) {
  if (built !== null) process.env.PAPER_BUILT = built;
  isRunning = true;
  Object.assign(progress, { ended: false, stats: null });
  const mocha = new Mocha({ ...options, reporter: ItemReporter });
  mocha.files = files;
  try {
    await mocha.loadFilesAsync();
    const runner = await new Promise((resolve) => {
      const running = mocha.run(() => resolve(running));
    });
    // Otherwise its listener for unhandled rejections and that of the next runner would forward each rejection to each other.
    runner.dispose();
  } catch (error) {
    process.stdout.write(`  1 failing\n\n  1) ${files.join(', ')}\n     cannot be loaded:\n${inspect(error)}\n`);
  }
  process.stdout.write(closingLine(progress, 1));
  isRunning = false;
}

function finish(code) {
  killLeftovers(run);
  if (isRunning) process.stdout.write(closingLine(progress, code));
}

function end(code) {
  // Registered again, to run last: the exit handlers of the tests end most of the processes that they started.
  process.off('exit', finish);
  process.once('exit', finish);
  process.exit(code);
}

/** Converts option names as mocha's command line does before it passes the options to the constructor. */
function inCamelCase(named) {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()), value]),
  );
}

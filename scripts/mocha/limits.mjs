import Mocha from 'mocha';

/**
 * Multiplies each time limit of a test or hook by the machine's factor (`scripts/run/machine.mjs`), so that tests do
 * not fail because the machine is busy.
 */
const factor = Number(process.env.PAPER_MACHINE_FACTOR ?? 1);
const { prototype } = Mocha.Runnable;
const timeout = prototype.timeout;

prototype.timeout = function (...limit) {
  return limit.length > 0 ? timeout.apply(this, limit) : timeout.call(this) * factor;
};

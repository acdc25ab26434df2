import Mocha from 'mocha';

/**
 * Each time limit of a test or a hook is the given one times the machine's factor (`scripts/run/machine.mjs`), so that a
 * test fails by what it finds and not by how busy the machine is.
 */
const factor = Number(process.env.PAPER_MACHINE_FACTOR ?? 1);
const { prototype } = Mocha.Runnable;
const timeout = prototype.timeout;

prototype.timeout = function (...limit) {
  return limit.length > 0 ? timeout.apply(this, limit) : timeout.call(this) * factor;
};

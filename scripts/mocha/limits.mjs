import Mocha from 'mocha';
import { followLoad } from '../run/machine.mjs';

/**
 * Multiplies each time limit of a test or hook by the machine's factor at its start (`scripts/run/machine.mjs`), so that
 * tests do not fail because the machine is busy.
 */
const { prototype } = Mocha.Runnable;
const timeout = prototype.timeout;

prototype.timeout = function (...limit) {
  return limit.length > 0 ? timeout.apply(this, limit) : timeout.call(this) * followLoad();
};

import Mocha from 'mocha';
import { followLoad } from '../run/machine.mjs';

/** Multiplies each test's time limit by the machine's factor (`scripts/run/machine.mjs`). */
const { prototype } = Mocha.Runnable;
const timeout = prototype.timeout;

prototype.timeout = function (...limit) {
  return limit.length > 0 ? timeout.apply(this, limit) : timeout.call(this) * followLoad();
};

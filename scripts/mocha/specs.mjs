import { createRequire } from 'node:module';

/** Options of every run of mocha. */
export const MOCHA_OPTIONS = (process.env.CI ?? '') === '' ? [] : ['--forbid-only'];

/**
 * Makes mocha import specs. It tries require() first, which would run a spec that is valid JavaScript without tsx, and
 * parse its `new Map<string>(…)` as comparisons.
 */
export function importSpecs() {
  createRequire(import.meta.url).extensions['.ts'] = (_module, file) => {
    throw new Error(`${file} is to be imported`);
  };
}

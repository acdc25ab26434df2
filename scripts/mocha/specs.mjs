import { createRequire } from 'node:module';

/** Options of every run of mocha. */
export const MOCHA_OPTIONS = (process.env.CI ?? '') === '' ? [] : ['--forbid-only'];

/**
 * Mocha tries require() first, which would run a spec that happens to be valid JavaScript without tsx, and parse its
 * `new Map<string>(…)` as comparisons. Refused here, the spec is imported.
 */
export function importSpecs() {
  createRequire(import.meta.url).extensions['.ts'] = (_module, file) => {
    throw new Error(`${file} is to be imported`);
  };
}

import { printError } from '../terminal.ts';
import { ConfigError } from './config-error.ts';

/** The settings that were renamed, by their former names. */
export const FORMER_NAMES: Readonly<Record<string, string>> = {
  // An EventStoreDB server started from the same shell would read EVENTSTORE_* as a setting of its own.
  EVENTSTORE_URL: 'JOURNAL_URL',
};

const warned = new Set<string>();

/** The environment with only the present names. Throws ConfigError when a former and a present name differ. */
export function withoutFormerNames(
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void = printError,
): NodeJS.ProcessEnv {
  const current = { ...env };
  for (const [former, name] of Object.entries(FORMER_NAMES)) {
    const [value, given] = [current[former] ?? '', current[name]];
    current[former] = undefined;
    if (value === '' || given === '' || given === value) continue;
    if (given !== undefined) {
      throw new ConfigError(`${name} and its former name ${former} are both set, and differ: unset ${former}.`);
    }
    current[name] = value;
    if (!warned.has(former)) warn(`${former} is now ${name}: rename it, the former name will go.`);
    warned.add(former);
  }
  return current;
}

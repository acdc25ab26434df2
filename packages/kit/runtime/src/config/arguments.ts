import type { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { readConfig } from './config.ts';
import { FORMER_NAMES } from './former-names.ts';
import { fileSettingOf, isSecretSetting } from './secret-files.ts';

/** Reads the settings from the environment, and from options, which override it. Throws ConfigError. */
export function readArguments<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv, args: readonly string[]) {
  const options = args.filter((argument) => argument !== PRINT_CONFIG);
  const names = Object.keys(schema.shape);
  const filesOf = names.filter(isSecretSetting).map((name) => [name, fileSettingOf(name)] as const);
  const given = fromOptions([...names, ...filesOf.map(([, file]) => file)], names, options);
  const others = [...Object.entries(FORMER_NAMES), ...filesOf];
  const replaced = others.filter((same) => same.some((name) => name in given));
  // An option overrides the environment, whichever of the setting's names either uses.
  const hidden = Object.fromEntries(replaced.flatMap((same) => same.map((name) => [name, undefined])));
  const config = readConfig(schema, { ...env, ...hidden, ...given });
  return { config, printOnly: options.length < args.length };
}

const PRINT_CONFIG = '--print-config';

/** Reads options as settings. `shown`: the settings that an error lists. */
function fromOptions(known: readonly string[], shown: readonly string[], options: readonly string[]) {
  const given: Record<string, string> = {};
  const rest = [...options];
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    const [, flag = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(option) ?? [];
    const name = flag.toUpperCase().replaceAll('-', '_');
    if (!known.includes(FORMER_NAMES[name] ?? name)) {
      const flags = shown.map((each) => `--${each.toLowerCase().replaceAll('_', '-')}`);
      throw new ConfigError(`${option} is not an option. There are: ${[...flags, PRINT_CONFIG].join(', ')}`);
    }
    const value = inline ?? (isSwitch(name, rest[0]) ? 'on' : rest.shift());
    if (value === undefined) throw new ConfigError(`${option} needs a value.`);
    given[name] = value;
  }
  return given;
}

function isSwitch(name: string, next: string | undefined): boolean {
  return name === 'ACCEPT_CLOCK' && (next === undefined || next.startsWith('--'));
}

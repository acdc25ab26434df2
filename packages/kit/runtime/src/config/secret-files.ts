import { databaseSettings } from '../coordination/database-roles.ts';
import { readPrivateFile } from '../private-file.ts';
import { ConfigError } from './config-error.ts';

/** Settings that hold a secret. Instead of the setting, NAME_FILE may name a file with it. */
const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  ...Object.keys(databaseSettings(() => true)),
  'COMMAND_JOURNAL_URL',
  'PROJECTOR_JOURNAL_URL',
  'READER_JOURNAL_URL',
  'JOURNAL_URL',
  'REDIS_URL',
  'OPERATOR_TOKEN',
  'OPERATOR_TOKENS',
  'PORTAL_TOKEN',
  'PORTAL_SECRET',
  'MCP_SECRET',
  'API_KEY',
  'SMTP_URL',
  'COMPANY_CLIENT_SECRET',
  'AUDIT_SIGNING_KEY',
];

export function isSecretSetting(name: string): boolean {
  return SECRET_SETTINGS.includes(name);
}

export function fileSettingOf(name: string): string {
  return `${name}_FILE`;
}

/** The environment with the named secrets from files. Throws ConfigError for one given twice, or an unusable file. */
export function withSecretFiles(env: NodeJS.ProcessEnv, names = SECRET_SETTINGS): NodeJS.ProcessEnv {
  const current = { ...env };
  for (const name of names.filter(isSecretSetting)) {
    const setting = fileSettingOf(name);
    const file = env[setting] ?? '';
    if (file === '') continue;
    if ((env[name] ?? '') !== '') throw new ConfigError(`${name} and ${setting} are both set: unset one.`);
    current[name] = readSecretFile(setting, file);
  }
  return current;
}

function readSecretFile(setting: string, file: string): string {
  let text: string;
  try {
    text = readPrivateFile(file).trim();
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${setting}: ${error.message}`);
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(`${setting}: ${file} cannot be read (${reason}).`);
  }
  if (text === '') throw new ConfigError(`${setting}: ${file} is empty.`);
  return text;
}

import { databaseSettings } from '../coordination/database-roles.ts';
import { readPrivateFile } from '../private-file.ts';
import { ConfigError } from './config-error.ts';

/**
 * Settings that are secrets, or contain a password. Each may be given in a file instead, whose path is in NAME_FILE. So
 * the secret is neither in the environment nor in a list of processes.
 */
export const SECRET_SETTINGS: readonly string[] = [
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

/** Whether this setting can be given in a file. */
export function isSecretSetting(name: string): boolean {
  return SECRET_SETTINGS.includes(name);
}

/** The name of the setting with the path of a secret's file. */
export function fileSettingOf(name: string): string {
  return `${name}_FILE`;
}

/**
 * The environment with the secrets from files, without white space around them.
 * @param names the settings that are read; files of others are ignored
 * @throws ConfigError when a secret is given twice, or its file is empty, cannot be read, or can be read by other
 * users.
 */
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

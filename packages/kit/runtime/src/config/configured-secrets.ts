import { ConfigError } from './config-error.ts';

const LENGTH_MIN = 32;
const FORM = `must be one secret of at least ${LENGTH_MIN} characters, or two with a comma between: the newer first`;

/** The secrets in the setting, newest first; null if it is not set. Throws ConfigError, which quotes none of them. */
export function configuredSecrets(name: string, text: string | undefined): readonly string[] | null {
  if (text === undefined) return null;
  const secrets = text.split(',').map((one) => one.trim());
  if (secrets.length > 2 || secrets.some((one) => one.length < LENGTH_MIN)) throw new ConfigError(`${name}: ${FORM}`);
  return secrets;
}

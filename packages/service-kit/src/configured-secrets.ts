import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';

const LENGTH_MIN = 32;
const FORM = `must be one secret of at least ${LENGTH_MIN} characters, or two with a comma between: the newer first`;

/**
 * The secrets of a setting, the newest first: of the variable `name`, else of the file that `name`_FILE names; null
 * where neither is set.
 *
 * @throws ConfigError where both are set, the file cannot be read, or the text is not one or two long secrets.
 */
export function configuredSecrets(
  name: string,
  given: { readonly text: string | undefined; readonly file: string | undefined },
): readonly string[] | null {
  const { file, text } = given;
  if (text !== undefined && file !== undefined) {
    throw new ConfigError(`${name} and ${name}_FILE are both set: unset one.`);
  }
  const found = file === undefined ? text : readSecretFile(`${name}_FILE`, file);
  if (found === undefined) return null;
  const secrets = found.split(',').map((one) => one.trim());
  if (secrets.length > 2 || secrets.some((one) => one.length < LENGTH_MIN)) {
    throw new ConfigError(`${file === undefined ? name : `${name}_FILE`}: ${FORM}`);
  }
  return secrets;
}

/**
 * The text of a file that a setting names, without spaces and line ends around it.
 *
 * @throws ConfigError where it cannot be read.
 */
export function readSecretFile(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(`${setting}: ${file} cannot be read (${reason})`);
  }
}

/** The environment is not as the service needs it. The message names every variable that is wrong, and no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

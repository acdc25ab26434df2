/** The environment does not fit the service. The message names every wrong variable, and shows no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

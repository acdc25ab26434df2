import { ApiError, parseUnits } from '@paper/contracts';

/**
 * Converts an amount of a request to units; null where it is absent.
 * @throws ApiError validation_failed where it is finer than $0.0001.
 */
export function unitsOf(field: string, amount: number | undefined): number | null {
  if (amount === undefined) return null;
  const units = parseUnits(amount);
  if (units === null) {
    throw new ApiError('validation_failed', `validation failure: ${field}: must be a multiple of 0.0001`);
  }
  return units;
}

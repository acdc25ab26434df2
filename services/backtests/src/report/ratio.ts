/** numerator ÷ denominator to 6 decimals, half away from zero; null if it is undefined. Both are whole numbers. */
export function ratio(numerator: number, denominator: number): number | null {
  if (denominator === 0) return null;
  const [over, under] = [BigInt(Math.abs(numerator)), BigInt(Math.abs(denominator))];
  const millionths = (2_000_000n * over + under) / (2n * under);
  const isNegative = numerator < 0 !== denominator < 0 && millionths > 0n;
  return (isNegative ? -1 : 1) * (Number(millionths) / 1_000_000);
}

/** A dollar amount to 6 decimals, half away from zero, for amounts that are not multiples of a unit. */
export function toMillionths(dollars: number): number {
  return (Math.sign(dollars) * Math.round(Math.abs(dollars) * 1_000_000)) / 1_000_000 || 0;
}

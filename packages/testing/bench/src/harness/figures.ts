/** Formats a figure: grouped by thousands, with this many digits after the point. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Formats a ratio in percent: three quarters are `75 %`. */
export function percent(ratio: number, digits = 0): string {
  return `${figure(100 * ratio, digits)} %`;
}

/** Formats a ratio as `1.25 ×`. */
export function times(ratio: number, digits = 2): string {
  return `${figure(ratio, digits)} ×`;
}

/** Formats milliseconds as `12.5 ms`. */
export function milliseconds(ms: number): string {
  return `${figure(ms, 1)} ms`;
}

/** Formats milliseconds as `1.25 s`. */
export function seconds(ms: number): string {
  return `${figure(ms / 1_000, 2)} s`;
}

/** Formats bytes as `23.3 MB`. */
export function megabytes(bytes: number): string {
  return `${figure(bytes / 1e6, 1)} MB`;
}

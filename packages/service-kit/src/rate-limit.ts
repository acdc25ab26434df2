import { isIPv6 } from 'node:net';

/** Who is counted against what: commands and reads of a key or an address, everything of an operator. */
export type Bucket = 'commands' | 'reads' | 'operators';

/** What a request finds in its bucket after it was counted. Seconds are rounded up. */
export interface Verdict {
  readonly allowed: boolean;
  readonly bucket: Bucket;
  /** Requests that a full bucket holds: the burst. */
  readonly quota: number;
  /** Seconds in which an empty bucket fills: quota over window is the steady rate. */
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until one request is allowed again; 0 when one is. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  readonly consume: (bucket: Bucket, subject: string) => Verdict;
}

export interface RateLimitSettings {
  readonly commandsPerSecond?: number;
  readonly readsPerSecond?: number;
  readonly operatorCallsPerSecond?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const SWEEP_EVERY_MS = 10_000;
/** Two seconds: a full bucket is worth twice a second's requests, the burst that http-rules allows. */
const WINDOW_MS = 2_000;

/**
 * Token buckets in memory: 100 commands and 200 reads a second, bursts of twice that (http-rules, Rate limits), and
 * 2,000 a second for an operator, whose imports are meant to be fast. Exact at any moment, where a fixed window would
 * allow twice its quota around its edge and could not tell what remains of a burst. A refused request costs nothing.
 */
export function createRateLimiter(settings: RateLimitSettings = {}): RateLimiter {
  const perSecond: Record<Bucket, number> = {
    commands: settings.commandsPerSecond ?? 100,
    reads: settings.readsPerSecond ?? 200,
    operators: settings.operatorCallsPerSecond ?? 2_000,
  };
  const now = settings.now ?? (() => performance.now());
  const levels = new Map<string, { tokens: number; atMs: number }>();
  let sweptAt = now();

  /** A bucket that nobody touched for a window is full, which is what a missing one is. */
  const sweep = (at: number): void => {
    if (at - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = at;
    for (const [key, level] of levels) if (at - level.atMs >= WINDOW_MS) levels.delete(key);
  };

  return {
    consume(bucket, subject) {
      const at = now();
      sweep(at);
      const rate = perSecond[bucket];
      const quota = (rate * WINDOW_MS) / 1_000;
      const key = `${bucket} ${subject}`;
      const level = levels.get(key) ?? { tokens: quota, atMs: at };
      const filled = Math.min(quota, level.tokens + ((at - level.atMs) * rate) / 1_000);
      const allowed = filled >= 1;
      const tokens = allowed ? filled - 1 : filled;
      levels.set(key, { tokens, atMs: at });
      return {
        allowed,
        bucket,
        quota,
        windowSeconds: WINDOW_MS / 1_000,
        remaining: Math.floor(tokens),
        resetSeconds: Math.ceil((quota - tokens) / rate),
        retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / rate)),
      };
    },
  };
}

/**
 * The header fields of the IETF draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-10):
 * `RateLimit-Policy: "reads";q=400;w=2` and `RateLimit: "reads";r=399;t=1`.
 */
export function rateLimitHeaders(verdict: Verdict): Record<string, string> {
  return {
    'ratelimit-policy': `"${verdict.bucket}";q=${verdict.quota};w=${verdict.windowSeconds}`,
    ratelimit: `"${verdict.bucket}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  };
}

/** The subject for an address. An IPv6 client usually holds a whole /64, so that is what is counted. */
export function addressSubject(address: string | undefined): string {
  if (address === undefined) return 'address:unknown';
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!isIPv6(plain)) return `address:${plain}`;
  const [head = '', tail = ''] = plain.split('::');
  const start = head === '' ? [] : head.split(':');
  const end = tail === '' ? [] : tail.split(':');
  const groups = [...start, ...Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0'), ...end];
  return `address:${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}`;
}

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
  /** How many are remembered now: those of the last two windows, and never more than 200,000. */
  readonly subjects: number;
}

export interface RateLimitSettings {
  readonly commandsPerSecond?: number;
  readonly readsPerSecond?: number;
  readonly operatorCallsPerSecond?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Two seconds: a full bucket is worth twice a second's requests, the burst that http-rules allows. */
const WINDOW_MS = 2_000;

/** Buckets that one generation holds. More subjects than that in a window are a flood that no count of each can stop. */
const GENERATION_MAX = 100_000;

interface Level {
  tokens: number;
  atMs: number;
}

/**
 * Token buckets in memory: 100 commands and 200 reads a second, bursts of twice that (http-rules, Rate limits), and
 * 2,000 a second for an operator, whose imports are meant to be fast. Exact at any moment, where a fixed window would
 * allow twice its quota around its edge and could not tell what remains of a burst. A refused request costs nothing.
 *
 * A bucket that nobody touched for a window is full, which is what a missing one is. So there are two generations: what
 * is touched goes into the younger, and the older is dropped whole when the younger has lasted a window.
 */
export function createRateLimiter(settings: RateLimitSettings = {}): RateLimiter {
  const perSecond: Record<Bucket, number> = {
    commands: settings.commandsPerSecond ?? 100,
    reads: settings.readsPerSecond ?? 200,
    operators: settings.operatorCallsPerSecond ?? 2_000,
  };
  const now = settings.now ?? (() => performance.now());
  let younger = new Map<string, Level>();
  let older = new Map<string, Level>();
  let bornAt = now();

  const levelOf = (key: string, at: number, quota: number): Level => {
    if (at - bornAt >= WINDOW_MS || younger.size >= GENERATION_MAX) {
      older = younger;
      younger = new Map();
      bornAt = at;
    }
    const known = younger.get(key);
    if (known !== undefined) return known;
    const level = older.get(key) ?? { tokens: quota, atMs: at };
    younger.set(key, level);
    return level;
  };

  return {
    get subjects() {
      return younger.size + older.size;
    },
    consume(bucket, subject) {
      const at = now();
      const rate = perSecond[bucket];
      const quota = (rate * WINDOW_MS) / 1_000;
      const level = levelOf(`${bucket} ${subject}`, at, quota);
      const filled = Math.min(quota, level.tokens + ((at - level.atMs) * rate) / 1_000);
      const allowed = filled >= 1;
      const tokens = allowed ? filled - 1 : filled;
      level.tokens = tokens;
      level.atMs = at;
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
 * The header fields of the IETF draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-10), as
 * names and values one after the other: `RateLimit-Policy: "reads";q=400;w=2` and `RateLimit: "reads";r=399;t=1`.
 */
export function rateLimitHeaders(verdict: Verdict): readonly string[] {
  const { bucket, quota, windowSeconds, remaining, resetSeconds } = verdict;
  return [
    ...['ratelimit-policy', `"${bucket}";q=${quota};w=${windowSeconds}`],
    ...['ratelimit', `"${bucket}";r=${remaining};t=${resetSeconds}`],
  ];
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

import { isIPv6 } from 'node:net';

/**
 * The policies of limits: commands and reads of a key or an address, all requests of an operator, the orders of all
 * batches of a fleet.
 */
export type Bucket = 'commands' | 'reads' | 'operators' | 'batch-orders';

/** A limit, as the header fields name it: of a key, an address or an operator, or of a whole fleet. */
export type Policy = Bucket | 'fleet-commands' | 'fleet-reads';

/** The client that is counted. */
export interface CountedRequest {
  readonly bucket: Bucket;
  /** The key, address or operator. */
  readonly subject: string;
  /** The fleet of a key, whose limit applies besides the key's; null where there is none. */
  readonly fleet?: string | null;
  /** Units; default 1. At most an eighth of a burst is charged, so that low limits refuse no request for ever. */
  readonly cost?: number;
}

/** The state of the bucket after a request was counted. Seconds are rounded up. */
export interface Verdict {
  readonly allowed: boolean;
  /** The policy of the limit with the least remaining; for a refused request, the one that refused it. */
  readonly policy: Policy;
  /** Units that a full bucket holds: the burst. */
  readonly quota: number;
  /** Seconds in which an empty bucket fills: quota over window is the steady rate. */
  readonly windowSeconds: number;
  readonly remaining: number;
  /** The seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** The seconds until the same request is allowed again; 0 when it is allowed now. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts a request against its subject and its fleet; where either has not enough left, against neither. */
  readonly consume: (request: CountedRequest) => Verdict;
  /** Counts a cost that is known only after the request was allowed. A bucket may go below zero by it. */
  readonly charge: (request: CountedRequest) => Verdict;
  /** Refunds an allowed request that turned out to belong to another client. */
  readonly giveBack: (request: CountedRequest) => void;
  /** The number of buckets in memory: buckets used in the last two windows, at most 200,000. */
  readonly subjects: number;
}

export interface RateLimitSettings {
  readonly commandsPerSecond?: number;
  readonly readsPerSecond?: number;
  readonly operatorCallsPerSecond?: number;
  /** Processes that share the reads of a fleet, each of which counts alone. Default 1. */
  readonly readProcesses?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Two seconds: a full bucket is worth twice a second's requests, the burst that http-rules allows. */
const WINDOW_MS = 2_000;

/** Buckets that one generation holds. More subjects than that in a window are a flood that no count of each can stop. */
const GENERATION_MAX = 100_000;

/** The factor by which a fleet's rate exceeds a key's. */
const FLEET_FACTOR = 5;

/** No request counts for more than this part of its subject's burst. */
const COST_PART_MAX = 1 / 8;

/** A limit: this many units a second, and a burst of `quota`. */
interface Limit {
  readonly policy: Policy;
  readonly rate: number;
  readonly quota: number;
}

interface Level {
  tokens: number;
  atMs: number;
}

const FLEET_POLICY = {
  commands: 'fleet-commands',
  reads: 'fleet-reads',
  operators: null,
  'batch-orders': null,
} as const;

/** The orders in batches of a fleet in a second, at once or spread. */
const BATCH_ORDERS = 1_000;

/**
 * Token buckets in memory: 100 commands and 200 reads a second for each key or address and five times that for a fleet,
 * bursts of twice that (http-rules, Rate limits), and 2,000 a second for an operator, whose imports are meant to be fast.
 * Exact at any moment, where a fixed window would allow twice its quota around its edge and could not tell what remains
 * of a burst. A refused request costs nothing.
 *
 * Where several processes answer a fleet's reads, each allows its part, and never less than one key's.
 *
 * A bucket that was not used for a window is full, which equals a missing bucket. So there are two generations: used
 * buckets move into the younger, and the older is dropped whole when the younger has lasted a window.
 */
export function createRateLimiter(settings: RateLimitSettings = {}): RateLimiter {
  const limits = limitsOf(settings);
  const now = settings.now ?? (() => performance.now());
  const levels = new Levels(now());

  /** The buckets of a request, its own first, refilled up to now, and its cost. */
  const look = ({ bucket, subject, fleet = null, cost = 1 }: CountedRequest, at: number) => {
    const own = limits[bucket];
    const ofFleet = FLEET_POLICY[bucket];
    const buckets = [{ limit: own, level: levels.of(`${bucket} ${subject}`, at, own) }];
    if (fleet !== null && ofFleet !== null) {
      const limit = limits[ofFleet];
      buckets.push({ limit, level: levels.of(`${ofFleet} ${fleet}`, at, limit) });
    }
    return { buckets, charge: Math.min(cost, Math.max(1, Math.floor(own.quota * COST_PART_MAX))) };
  };

  return {
    get subjects() {
      return levels.size;
    },
    consume(request) {
      const { buckets, charge } = look(request, now());
      const allowed = buckets.every(({ level }) => level.tokens >= charge);
      if (allowed) for (const { level } of buckets) level.tokens -= charge;
      const { level, limit } = tightestOf(buckets);
      return verdictOf(limit, level.tokens, allowed ? null : charge);
    },
    charge(request) {
      const { buckets, charge } = look(request, now());
      for (const { level } of buckets) level.tokens -= charge;
      const { level, limit } = tightestOf(buckets);
      return verdictOf(limit, level.tokens, null);
    },
    giveBack(request) {
      const { buckets, charge } = look(request, now());
      for (const { level, limit } of buckets) level.tokens = Math.min(limit.quota, level.tokens + charge);
    },
  };
}

function limitsOf(settings: RateLimitSettings): Readonly<Record<Policy, Limit>> {
  const { commandsPerSecond = 100, readsPerSecond = 200, operatorCallsPerSecond = 2_000, readProcesses = 1 } = settings;
  const limit = (policy: Policy, rate: number): Limit => ({ policy, rate, quota: (rate * WINDOW_MS) / 1_000 });
  return {
    commands: limit('commands', commandsPerSecond),
    reads: limit('reads', readsPerSecond),
    operators: limit('operators', operatorCallsPerSecond),
    'batch-orders': { policy: 'batch-orders', rate: BATCH_ORDERS, quota: BATCH_ORDERS },
    'fleet-commands': limit('fleet-commands', FLEET_FACTOR * commandsPerSecond),
    'fleet-reads': limit('fleet-reads', Math.floor(Math.max(1, FLEET_FACTOR / readProcesses) * readsPerSecond)),
  };
}

interface Counted {
  readonly limit: Limit;
  readonly level: Level;
}

/** The one with the least remaining. */
function tightestOf(buckets: readonly Counted[]): Counted {
  return buckets.reduce((one, other) => (other.level.tokens < one.level.tokens ? other : one));
}

/** `lacking`: what a refused request would have been counted for; null of one that was allowed. */
function verdictOf({ policy, rate, quota }: Limit, tokens: number, lacking: number | null): Verdict {
  return {
    allowed: lacking === null,
    policy,
    quota,
    windowSeconds: quota / rate,
    remaining: Math.max(0, Math.floor(tokens)),
    resetSeconds: Math.ceil((quota - tokens) / rate),
    retryAfterSeconds: lacking === null ? 0 : Math.max(1, Math.ceil((lacking - tokens) / rate)),
  };
}

/** The buckets that are not full, in two generations. */
class Levels {
  #younger = new Map<string, Level>();
  #older = new Map<string, Level>();

  #createdAtMs: number;

  constructor(nowMs: number) {
    this.#createdAtMs = nowMs;
  }

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  /** The units in this bucket, refilled up to now. */
  of(key: string, at: number, { rate, quota }: Limit): Level {
    if (at - this.#createdAtMs >= WINDOW_MS || this.#younger.size >= GENERATION_MAX) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#createdAtMs = at;
    }
    const known = this.#younger.get(key);
    const level = known ?? this.#older.get(key) ?? { tokens: quota, atMs: at };
    if (known === undefined) this.#younger.set(key, level);
    level.tokens = Math.min(quota, level.tokens + ((at - level.atMs) * rate) / 1_000);
    level.atMs = at;
    return level;
  }
}

/**
 * The header fields of the IETF draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-10), as
 * names and values one after the other: `RateLimit-Policy: "reads";q=400;w=2` and `RateLimit: "reads";r=399;t=1`.
 */
export function rateLimitHeaders(verdict: Verdict): readonly string[] {
  const { policy, quota, windowSeconds, remaining, resetSeconds } = verdict;
  return [
    ...['ratelimit-policy', `"${policy}";q=${quota};w=${windowSeconds}`],
    ...['ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`],
  ];
}

/** The subject for an address. An IPv6 client usually holds a whole /64, so the /64 is counted. */
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

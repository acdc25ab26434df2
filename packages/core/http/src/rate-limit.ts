import { isIPv6 } from 'node:net';

/** What is limited: commands and reads of a key or address, calls of an operator, orders in a fleet's batches. */
export type Bucket = 'commands' | 'reads' | 'operators' | 'batch-orders';

/** The name of a limit in header fields. `fleet-…`: of a primary account with all its sub-accounts. */
export type Policy = Bucket | 'fleet-commands' | 'fleet-reads';

export interface CountedRequest {
  readonly bucket: Bucket;
  readonly subject: string;
  /** The primary account of the key, whose fleet has a limit of its own; null without one. */
  readonly fleet?: string | null;
  /** The cost in units; default 1. An eighth of a burst is the most, so that low limits refuse nothing for ever. */
  readonly cost?: number;
}

/** The state of the bucket after a request was counted. Seconds are rounded up. */
export interface Verdict {
  readonly allowed: boolean;
  /** The policy of the limit with the least remaining; for a refused request, the policy that refused it. */
  readonly policy: Policy;
  /** The units that a full bucket holds: the burst. */
  readonly quota: number;
  /** The seconds in which an empty bucket fills: quota divided by window is the steady rate. */
  readonly windowSeconds: number;
  readonly remaining: number;
  /** The seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** The seconds until the same request is allowed again; 0 when it is allowed now. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Counts a request against its subject and its fleet; against neither if one of them has not enough left. */
  readonly consume: (request: CountedRequest) => Verdict;
  /** Counts a cost that is known only after the request was allowed, which may take a bucket below zero. */
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
  /** The number of processes that serve reads: each allows its part of a fleet's reads. Default 1. */
  readonly readProcesses?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Two seconds: a full bucket is worth the requests of two seconds, the burst that http-rules allows. */
const WINDOW_MS = 2_000;

/** The most buckets between two clean-ups. More subjects are a flood, which these limits cannot stop. */
const GENERATION_MAX = 100_000;

const FLEET_FACTOR = 5;

/** The largest part of its subject's burst that a request counts for. */
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

/** The number of orders in batches that a fleet may send in a second, at once or spread. */
const BATCH_ORDERS = 1_000;

/**
 * Token buckets in memory: 100 commands and 200 reads a second for each key or address, five times that for a fleet,
 * bursts of twice that (http-rules, Rate limits), and 2,000 a second for an operator, whose imports should be fast. A
 * refused request costs nothing. Each of several processes allows its part of a fleet's reads, at least one key's
 * limit. A bucket that was not used for a window is full, like a missing one. So used buckets move into the younger of
 * two generations, and the older is dropped as a whole when the younger has lasted a window.
 */
export function createRateLimiter(settings: RateLimitSettings = {}): RateLimiter {
  const limits = limitsOf(settings);
  const now = settings.now ?? (() => performance.now());
  const levels = new Levels(now());

  /** The request's buckets, the subject's first, refilled up to now, and its cost. */
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
      return verdictOf(buckets, allowed ? null : charge);
    },
    charge(request) {
      const { buckets, charge } = look(request, now());
      for (const { level } of buckets) level.tokens -= charge;
      return verdictOf(buckets, null);
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

/** The state of the bucket with the least remaining. `lacking`: the cost of a refused request; null for an allowed one. */
function verdictOf(buckets: readonly Counted[], lacking: number | null): Verdict {
  const { level, limit } = buckets.reduce((one, other) => (other.level.tokens < one.level.tokens ? other : one));
  const { policy, quota, rate } = limit;
  const { tokens } = level;
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

class Levels {
  #younger = new Map<string, Level>();
  #older = new Map<string, Level>();

  constructor(private youngerSinceMs: number) {}

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  of(key: string, at: number, { rate, quota }: Limit): Level {
    if (at - this.youngerSinceMs >= WINDOW_MS || this.#younger.size >= GENERATION_MAX) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.youngerSinceMs = at;
    }
    const known = this.#younger.get(key);
    const level = known ?? this.#older.get(key) ?? { tokens: quota, atMs: at };
    if (known === undefined) this.#younger.set(key, level);
    level.tokens = Math.min(quota, level.tokens + ((at - level.atMs) * rate) / 1_000);
    level.atMs = at;
    return level;
  }
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10, as names and values one after the other. */
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

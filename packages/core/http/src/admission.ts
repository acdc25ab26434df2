import { ApiError, costOf, isInScope, OUT_OF_SCOPE, UNKNOWN_COST } from '@paper/contracts';
import type { Caller, Endpoint, KeyCaller, Permission } from '@paper/contracts';
import { readCredentials } from './call.ts';
import type { Call, Credentials } from './call.ts';
import { assertOwnsFleet } from './fleet-owner.ts';
import type { Operators } from './operators.ts';
import { readParameter } from './query-string.ts';
import { addressSubject } from './rate-limit.ts';
import type { Bucket, CountedRequest, RateLimiter, Verdict } from './rate-limit.ts';
import type { Route } from './route.ts';

export interface AdmissionSettings {
  readonly operators: Operators;
  /** Null turns the limits off (RATE_LIMITS=off). */
  readonly rateLimiter: RateLimiter | null;
  /** Called with the caller of every request with a valid key. */
  readonly noteKeyUse?: (caller: KeyCaller) => void;
}

/** The part of a route that decides who may call it. */
export type AdmittingRoute = Pick<Route, 'endpoint' | 'authenticate'>;

type Key = Extract<Credentials, { kind: 'key' }>;

const PUBLIC: Caller = { kind: 'public' };

/** The message for a missing key; the specification quotes one text. */
const NO_KEY_TEXT: Readonly<Record<string, string>> = {
  placeOrder: 'API key required for orders.create(): send it as "Authorization: Bearer <key>"',
};

/** Checks the caller's key (401), then the rate limit (429), then the permission (403). Throws ApiError. */
export function admit(asked: AdmittingRoute, call: Call, settings: AdmissionSettings): Caller | Promise<Caller> {
  const { endpoint } = asked;
  const credentials = readCredentials(call.request);
  // Only a read with a key has to wait for the key's look-up; most reads have no key.
  if (credentials.kind === 'key') return admitKey(asked, credentials, call, settings);
  if (endpoint.auth === 'public') {
    limitAddress(call, bucketOf(endpoint), settings, costOfCall(endpoint, call));
    return PUBLIC;
  }
  limitAddress(call, bucketOf(endpoint), settings);
  const text = credentials.kind === 'none' ? NO_KEY_TEXT[endpoint.id] : undefined;
  throw new ApiError('not_authenticated', text ?? 'Not authenticated');
}

async function admitKey(asked: AdmittingRoute, key: Key, call: Call, settings: AdmissionSettings): Promise<Caller> {
  const { authenticate, endpoint } = asked;
  if (endpoint.auth !== 'key' && key.bearer) {
    const operator = settings.operators.find(key.hash);
    if (operator !== null) {
      const { name, scopes } = operator;
      const cost = costOfCall(endpoint, call);
      count(call, { bucket: 'operators', subject: `operator:${name}`, cost }, settings);
      if (endpoint.auth === 'operator' && !isInScope(scopes, endpoint.scopes)) {
        throw new ApiError('forbidden', OUT_OF_SCOPE);
      }
      await authenticate.waitUntilCaughtUp?.({ patient: false });
      call.isFresh = true;
      return endpoint.auth === 'operator' ? { kind: 'operator', name, scopes } : PUBLIC;
    }
  }
  const caller = await countedOwner(asked, key, call, settings);
  call.isFresh = true;
  if (caller !== null) settings.noteKeyUse?.(caller);
  if (endpoint.auth === 'public') return PUBLIC;
  if (caller === null) throw new ApiError('not_authenticated', 'Not authenticated');
  assertAllowed(caller, endpoint);
  return caller;
}

/**
 * Counts the request and finds the owner of its key. A known key counts against itself and its fleet. For an unknown
 * key the look-up first counts against the address, so that guessed keys use up only their address's quota. If the key
 * proves valid, the address gets its quota back.
 */
async function countedOwner(
  { endpoint, authenticate }: AdmittingRoute,
  key: Key,
  call: Call,
  settings: AdmissionSettings,
): Promise<KeyCaller | null> {
  // A public route ignores an invalid key; it also ignores a failed look-up if the answer needs no projection.
  const isPublic = endpoint.auth === 'public';
  const waits = authenticate.waitUntilCaughtUp !== undefined;
  const lookUp = (): Promise<KeyCaller | null> => {
    const found = authenticate(key.hash, endpoint);
    return isPublic && !waits ? found.catch(() => null) : found;
  };
  if (settings.rateLimiter === null) return lookUp();

  const bucket = bucketOf(endpoint);
  const lookup: CountedRequest = { bucket, subject: addressSubject(call.address) };
  const cost = costOfCall(endpoint, call);
  const known = authenticate.cachedOwner?.(key.hash) ?? null;
  if (known !== null) {
    count(call, ofKey(bucket, known, cost), settings);
    return lookUp();
  }
  count(call, lookup, settings);
  const caller = await lookUp();
  if (caller !== null) {
    settings.rateLimiter.giveBack(lookup);
    count(call, ofKey(bucket, caller, cost), settings);
    return caller;
  }
  const unknownCost = Math.max(isPublic ? cost : 1, waits ? UNKNOWN_COST : 1);
  if (unknownCost > 1) count(call, { ...lookup, cost: unknownCost - 1 }, settings);
  return null;
}

function ofKey(bucket: Bucket, caller: KeyCaller, cost: number): CountedRequest {
  return { bucket, subject: `key:${caller.keyId}`, fleet: caller.primaryAccountId ?? caller.accountId, cost };
}

/** The number of items in a list that count as one command. */
const ITEMS_PER_COMMAND = 10;

/**
 * Counts a list of orders: a command for each ten items (the first was counted before), and the items for the fleet.
 */
export function limitItems(call: Call, caller: Caller, items: number, { rateLimiter }: AdmissionSettings): void {
  if (rateLimiter === null || caller.kind !== 'key') return;
  const further = Math.ceil(items / ITEMS_PER_COMMAND) - 1;
  if (further > 0) call.verdict = rateLimiter.charge(ofKey('commands', caller, further));
  const fleet = caller.primaryAccountId ?? caller.accountId;
  const verdict = rateLimiter.consume({ bucket: 'batch-orders', subject: `fleet:${fleet}`, cost: items });
  if (!verdict.allowed) throw rateLimited(call, verdict, 'orders in batches of this fleet');
}

/** Counts a request without a key or route against its address. A request refused before any read costs 1. */
export function limitAddress(call: Call, bucket: Bucket, settings: Pick<AdmissionSettings, 'rateLimiter'>, cost = 1) {
  if (settings.rateLimiter !== null) count(call, { bucket, subject: addressSubject(call.address), cost }, settings);
}

/** The bucket that a call of this endpoint counts against; an operator's calls have another one. */
export function bucketOf(endpoint: Endpoint): Bucket {
  return endpoint.kind === 'command' ? 'commands' : 'reads';
}

const readLimit = readParameter('limit');
const readAsOfSeq = readParameter('asOfSeq');

/** The cost of a call. Reads the raw URL, since requests are counted before they are validated. */
export function costOfCall({ cost }: Endpoint, { request: { url = '' } }: Call): number {
  if (cost === null) return 1;
  return url.includes('?') ? costOf(cost, readLimit(url), readAsOfSeq(url) !== null) : costOf(cost, null, false);
}

function count(call: Call, request: CountedRequest, { rateLimiter }: Pick<AdmissionSettings, 'rateLimiter'>): void {
  const verdict = rateLimiter?.consume(request);
  if (verdict === undefined) return;
  call.verdict = verdict;
  if (verdict.allowed) return;
  const what = request.bucket === 'reads' ? 'reads' : 'commands';
  throw rateLimited(call, verdict, verdict.policy.startsWith('fleet-') ? `${what} of this fleet` : what);
}

export function rateLimited(call: Call, verdict: Verdict, what: string): ApiError {
  call.verdict = verdict;
  const { retryAfterSeconds } = verdict;
  const text = `Too many ${what}: try again in ${retryAfterSeconds} s`;
  return new ApiError('rate_limited', text, undefined, { 'retry-after': String(retryAfterSeconds) });
}

function assertAllowed(caller: KeyCaller, endpoint: Endpoint): void {
  if (endpoint.auth === 'operator') throw new ApiError('forbidden', 'Forbidden');
  if (endpoint.primaryOnly) assertOwnsFleet(caller, []);
  if (endpoint.permission !== null && !permits(caller.permissions, endpoint.permission)) {
    throw new ApiError('forbidden', 'Forbidden');
  }
  if (endpoint.grantsRights && caller.hasMandate === true) throw new ApiError('forbidden', 'Forbidden');
  if (endpoint.approvedOnly && caller.awaitsApproval === true) {
    throw new ApiError('kyc_required', 'Permission or KYC: this account is not approved for trading yet.');
  }
}

/** Trade implies view; master and reconcile imply nothing (trading-rules, Permissions). */
function permits(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || (needed === 'view' && held.includes('trade'));
}

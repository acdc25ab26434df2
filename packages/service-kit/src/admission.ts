import { ApiError, type Caller, type Endpoint, type KeyCaller, type Permission } from '@paper/contracts';
import type { Call } from './call.ts';
import { type Credentials, readCredentials } from './credentials.ts';
import type { Operators } from './operators.ts';
import { addressSubject, type Bucket, type RateLimiter } from './rate-limit.ts';
import type { Authenticate } from './route.ts';

export interface AdmissionSettings {
  readonly operators: Operators;
  /** Null turns the limits off (RATE_LIMITS=off). */
  readonly rateLimiter: RateLimiter | null;
}

interface Asked {
  readonly endpoint: Endpoint;
  readonly authenticate: Authenticate;
}

type Key = Extract<Credentials, { kind: 'key' }>;

const PUBLIC: Caller = { kind: 'public' };

/** What is said where no key was sent at all; the specification quotes one text. */
const NO_KEY_TEXT: Readonly<Record<string, string>> = {
  placeOrder: 'API key required for orders.create(): send it as "Authorization: Bearer <key>"',
};

/** 401, then 429, then 403: who calls, whether too often, whether this is theirs to do. Throws ApiError. */
export function admit(asked: Asked, call: Call, settings: AdmissionSettings): Caller | Promise<Caller> {
  const { endpoint } = asked;
  const credentials = readCredentials(call.request);
  // Most reads show no key: nobody has to be waited for.
  if (credentials.kind === 'key') return admitKey(asked, credentials, call, settings);
  limitAddress(call, bucketOf(endpoint), settings);
  if (endpoint.auth === 'public') return PUBLIC;
  const text = credentials.kind === 'none' ? NO_KEY_TEXT[endpoint.id] : undefined;
  throw new ApiError('not_authenticated', text ?? 'Not authenticated');
}

async function admitKey(asked: Asked, key: Key, call: Call, settings: AdmissionSettings): Promise<Caller> {
  const { endpoint, authenticate } = asked;
  const limit = (caller: KeyCaller | null): void => {
    if (caller === null) limitAddress(call, bucketOf(endpoint), settings);
    else count(call, bucketOf(endpoint), `key:${caller.keyId}`, settings);
  };

  if (endpoint.auth === 'public') {
    // A key changes nothing here but whose rate it is, so one that is bad or cannot be looked up is ignored.
    limit(await authenticate(key.hash, endpoint).catch(() => null));
    return PUBLIC;
  }

  if (endpoint.auth === 'operator' && key.bearer) {
    const name = settings.operators.nameOf(key.hash);
    if (name !== null) {
      count(call, 'operators', `operator:${name}`, settings);
      return { kind: 'operator', name };
    }
  }

  const caller = await authenticate(key.hash, endpoint);
  limit(caller);
  if (caller === null) throw new ApiError('not_authenticated', 'Not authenticated');
  assertAllowed(caller, endpoint);
  return caller;
}

/** Counts a request against its address: one that shows no key, or that reached no route, which counts as a read. */
export function limitAddress(call: Call, bucket: Bucket, settings: AdmissionSettings): void {
  if (settings.rateLimiter !== null) count(call, bucket, addressSubject(call.address), settings);
}

function bucketOf(endpoint: Endpoint): Bucket {
  return endpoint.kind === 'command' ? 'commands' : 'reads';
}

function count(call: Call, bucket: Bucket, subject: string, { rateLimiter }: AdmissionSettings): void {
  const verdict = rateLimiter?.consume(bucket, subject);
  if (verdict === undefined) return;
  call.verdict = verdict;
  if (verdict.allowed) return;
  const text = `Too many ${bucket === 'reads' ? 'reads' : 'commands'}: try again in ${verdict.retryAfterSeconds} s`;
  throw new ApiError('rate_limited', text, undefined, { 'retry-after': String(verdict.retryAfterSeconds) });
}

function assertAllowed(caller: KeyCaller, endpoint: Endpoint): void {
  if (endpoint.auth === 'operator') throw new ApiError('forbidden', 'Forbidden');
  if (endpoint.primaryOnly && caller.primaryAccountId !== null) {
    throw new ApiError('primary_account_required', 'Switch to your primary account to do this');
  }
  if (endpoint.permission !== null && !permits(caller.permissions, endpoint.permission)) {
    throw new ApiError('forbidden', 'Forbidden');
  }
  if (endpoint.approvedOnly && caller.awaitsApproval === true) {
    throw new ApiError('kyc_required', 'Permission or KYC: this account is not approved for trading yet.');
  }
}

/** trade implies view; master and reconcile imply nothing (trading-rules, Permissions). */
function permits(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || (needed === 'view' && held.includes('trade'));
}

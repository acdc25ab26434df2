import { ApiError, type Caller, type Endpoint, type KeyCaller, type Permission } from '@paper/contracts';
import type { Request } from 'express';
import { readCredentials } from './credentials.ts';
import type { Operators } from './operators.ts';
import { addressSubject, type Bucket, type RateLimiter, type Verdict } from './rate-limit.ts';
import type { Authenticate } from './route.ts';

/** `limited` is told the verdict of every request, so that its headers are on every answer. */
export interface AdmissionSettings {
  readonly operators: Operators;
  readonly rateLimiter: RateLimiter | null;
  readonly limited: (verdict: Verdict) => void;
}

/** What is said where no key was sent at all; the specification quotes one text. */
const NO_KEY_TEXT: Readonly<Record<string, string>> = {
  placeOrder: 'API key required for orders.create(): send it as "Authorization: Bearer <key>"',
};

/** 401, then 429, then 403: who calls, whether too often, whether this is theirs to do. Throws ApiError. */
export async function admit(
  { endpoint, authenticate }: { readonly endpoint: Endpoint; readonly authenticate: Authenticate },
  request: Request,
  settings: AdmissionSettings,
): Promise<Caller> {
  const bucket: Bucket = endpoint.kind === 'command' ? 'commands' : 'reads';
  const limit = (caller: KeyCaller | null): void =>
    count(settings, bucket, caller === null ? addressSubject(request.ip) : `key:${caller.keyId}`);
  const credentials = readCredentials(request);

  if (endpoint.auth === 'public') {
    // A key changes nothing here but whose rate it is, so one that is bad or cannot be looked up is ignored.
    const caller = credentials.kind === 'key' ? await authenticate(credentials.hash, endpoint).catch(() => null) : null;
    limit(caller);
    return { kind: 'public' };
  }

  if (endpoint.auth === 'operator' && credentials.kind === 'key' && credentials.bearer) {
    const name = settings.operators.nameOf(credentials.hash);
    if (name !== null) {
      count(settings, 'operators', `operator:${name}`);
      return { kind: 'operator', name };
    }
  }

  const caller = credentials.kind === 'key' ? await authenticate(credentials.hash, endpoint) : null;
  limit(caller);
  if (caller === null) {
    const text = credentials.kind === 'none' ? NO_KEY_TEXT[endpoint.id] : undefined;
    throw new ApiError('not_authenticated', text ?? 'Not authenticated');
  }
  assertAllowed(caller, endpoint);
  return caller;
}

/** A request that reached no route counts as a read of its address. */
export function limitUnrouted(request: Request, settings: AdmissionSettings): void {
  count(settings, 'reads', addressSubject(request.ip));
}

function count(settings: AdmissionSettings, bucket: Bucket, subject: string): void {
  const verdict = settings.rateLimiter?.consume(bucket, subject);
  if (verdict === undefined) return;
  settings.limited(verdict);
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
}

/** trade implies view; master and reconcile imply nothing (trading-rules, Permissions). */
function permits(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || (needed === 'view' && held.includes('trade'));
}

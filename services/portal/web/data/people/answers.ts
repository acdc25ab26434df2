import type { FleetKeyBody } from '@paper/contracts/accounts';
import type { Person } from '../session/session.tsx';

export interface SignedUp {
  readonly person: Person;
  /** The page to go back to after an e-mail was confirmed; null otherwise. */
  readonly cameFrom: string | null;
}

/** The answer of `POST /portal/sign-up` when the person must first confirm the e-mail address. */
export type EmailAwaited = Readonly<{ confirm: 'email' }>;

export interface Recovered {
  readonly person: Person;
  /** The active keys; null if they could not be read. */
  readonly keys: readonly FleetKeyBody[] | null;
}

export type Passkey = Readonly<{ id: string; name: string; createdAt: string; lastUsedAt: string | null }>;

export interface DeviceSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly device: string;
  readonly current: boolean;
}

/** The answer of `GET /portal/security`. */
export interface SecurityState {
  readonly hasPassword: boolean;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly DeviceSession[];
  readonly recoveryCodesLeft: number;
  readonly email: string | null;
  readonly company: { readonly name: string } | null;
}

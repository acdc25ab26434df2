import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { CallError } from '../../base/call-error.ts';
import { portalCall } from './calls.ts';

/** Answers a challenge, or makes a passkey. Throws CallError `passkey_failed` if browser or person refuse. */
export async function answerPasskey<T>(purpose: 'sign-in' | 'prove' | 'add', name?: string): Promise<T> {
  const options = await portalCall<unknown>('POST', '/portal/passkeys/challenge', { purpose });
  const response = await respond(options, purpose === 'add');
  return portalCall('POST', '/portal/passkeys/answer', { purpose, response, ...(name === undefined ? {} : { name }) });
}

/** Makes the first passkey of a new person, after the service has checked the sign-up. Throws as `answerPasskey`. */
export async function makeFirstPasskey(person: object): Promise<unknown> {
  return respond(await portalCall<unknown>('POST', '/portal/sign-up/passkey', person), true);
}

/** Whether this device itself can store passkeys; without, they need another one, such as a phone. */
export async function hasPasskeys(): Promise<boolean> {
  try {
    return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  } catch {
    return false;
  }
}

async function respond(options: unknown, isNew: boolean): Promise<unknown> {
  const { startAuthentication, startRegistration } = await import('@simplewebauthn/browser');
  try {
    return isNew
      ? await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
      : await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallError('passkey_failed', `The browser made no use of a passkey: ${reason}`, 0);
  }
}

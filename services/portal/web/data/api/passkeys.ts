import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { CallError } from '../../base/call-error.ts';
import { portalCall } from './calls.ts';

/**
 * Has the browser answer a challenge with a passkey, or make a new one, and gives the portal's answer.
 *
 * @param name of the new passkey
 * @throws CallError with code `passkey_failed` where the browser or the person refuses
 */
export async function answerPasskey<T>(purpose: 'sign-in' | 'prove' | 'add', name?: string): Promise<T> {
  const options = await portalCall<unknown>('POST', '/portal/passkeys/challenge', { purpose });
  const { startAuthentication, startRegistration } = await import('@simplewebauthn/browser');
  const respond = (): Promise<unknown> =>
    purpose === 'add'
      ? startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
      : startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
  let response: unknown;
  try {
    response = await respond();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallError('passkey_failed', `The browser made no use of a passkey: ${reason}`, 0);
  }
  return portalCall('POST', '/portal/passkeys/answer', { purpose, response, ...(name === undefined ? {} : { name }) });
}

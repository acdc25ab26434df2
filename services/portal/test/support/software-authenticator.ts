import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attestedData: 0x40 };

interface Credential {
  readonly id: Buffer;
  readonly key: KeyObject;
  readonly userHandle: string;
  counter: number;
}

/**
 * An authenticator and the browser in front of it, computed by the letter of WebAuthn: ES256 keys, attestation `none`.
 * Its fields are what a test changes to make an answer wrong.
 */
export class SoftwareAuthenticator {
  readonly #credentials: Credential[] = [];
  /** Whether it checked the person by a PIN or a finger. */
  verifiesUser = true;

  /** @param origin of the page that the person sees, such as a phishing one. */
  constructor(public origin: string) {}

  /** The answer of `navigator.credentials.create`. */
  create(options: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const credential = { id: randomBytes(32), key: privateKey, userHandle: options.user.id, counter: 0 };
    this.#credentials.push(credential);
    // COSE_Key (RFC 9052): an elliptic curve key, ES256, on P-256, and its coordinates.
    const coseKey = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credential.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, credential.id, isoCBOR.encode(coseKey)]);
    const authData = Buffer.concat([this.#authData(options.rp.id ?? '', FLAGS.attestedData, 0), attested]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      id: credential.id.toString('base64url'),
      rawId: credential.id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** The answer of `navigator.credentials.get`, by the newest passkey, or the newest of those that are allowed. */
  get(options: PublicKeyCredentialRequestOptionsJSON): AuthenticationResponseJSON {
    const allowed = options.allowCredentials?.map(({ id }) => id) ?? [];
    const credential = this.#credentials.findLast(
      ({ id }) => allowed.length === 0 || allowed.includes(id.toString('base64url')),
    );
    if (credential === undefined) throw new Error('the authenticator has no passkey for this');
    credential.counter += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge);
    const authData = this.#authData(options.rpId ?? '', 0, credential.counter);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      id: credential.id.toString('base64url'),
      rawId: credential.id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, credential.key).toString('base64url'),
        userHandle: credential.userHandle,
      },
    };
  }

  /** As a copy of the authenticator would: counts from the start again. */
  resetCounters(): void {
    for (const credential of this.#credentials) credential.counter = 0;
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #authData(rpId: string, moreFlags: number, counter: number): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(FLAGS.userPresent | (this.verifiesUser ? FLAGS.userVerified : 0) | moreFlags);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }
}

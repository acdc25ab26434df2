import { ApiError, nameText, text } from '@paper/contracts';
import { FairSlots } from '@paper/http';
import type { Metrics } from '@paper/runtime';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters of argon2id for 19 MiB; the encoded hash names them. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The name with which a person signs in. An @ would make it an e-mail address. */
export const signInName = nameText(3, 64).refine((name) => !name.includes('@'), 'must not contain @');

export const newPassword = text(10, 200);

/** A password to be checked, which may be shorter than a new one: earlier rules may have allowed it. */
export const givenPassword = text(1, 200);

/** The number of the most used passwords that are refused. */
const COMMON = 10_000;
let commonPasswords: Promise<ReadonlySet<string>> | null = null;

/** Loads the most used passwords, in lower case, for the first new password. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    // A bundle has only the default export of a CommonJS module.
    ({ default: { dictionary } }) => new Set(dictionary['passwords-common'].slice(0, COMMON)),
  );
  return commonPasswords;
}

/** The form in which sign-in names and e-mail addresses are stored and compared. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/**
 * Hashes passwords with argon2id: one at a time, with 20 waiting, 5 of them from one address. Further ones are answered
 * with 503, and those of the address with 429. Two at a time would keep both cores of a small machine from live orders,
 * whatever the priority of their threads.
 */
export class Passwords {
  readonly #slots = new FairSlots({
    atOnce: 1,
    atOncePerAccount: 1,
    waiting: 20,
    // One address cannot fill the queue and so keep everybody from signing in. Behind a front door all people of an
    // office share an address: 5 that wait suffice for them, since a password takes 50 to 100 ms.
    waitingPerAccount: 5,
    waitMs: 10_000,
    rests: true,
    what: 'passwords',
    accountIs: 'address',
  });
  /** The hash of a password that no person has, used for names that do not exist. */
  readonly #dummy: Promise<string>;

  constructor(metrics?: Pick<Metrics, 'gauge'>) {
    metrics?.gauge('portal_passwords_waiting', 'Passwords that wait to be hashed', {
      collect: (gauge) => gauge.set(this.#slots.waiting),
    });
    this.#dummy = hash('no person has this password', ARGON2);
    // An error of this hash is thrown in `verify`, which awaits the hash.
    this.#dummy.catch(() => undefined);
  }

  /** Hashes a new password. @throws ApiError validation_failed for a much used one, and as `verify`. */
  async hash(password: string, address: string, signal: AbortSignal): Promise<string> {
    if ((await loadCommonPasswords()).has(normal(password).toLowerCase())) {
      throw new ApiError(
        'validation_failed',
        `validation failure: password: this password is one of the ${COMMON.toLocaleString('en')} used most: choose another`,
      );
    }
    return this.#inTurn(address, signal, () => hash(normal(password), ARGON2));
  }

  /** Compares a password with a hash; null takes as long, and gives false. @throws Unavailable, RateLimited if too many wait. */
  verify(stored: string | null, password: string, address: string, signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(address, signal, async () => {
      const isRight = await verify(stored ?? (await this.#dummy), normal(password));
      return isRight && stored !== null;
    });
  }

  #inTurn<T>(address: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#slots.use({ fleet: address, account: address }, signal, work);
  }
}

/** Normalizes a password, since keyboards encode the same letters in several ways. */
const normal = (password: string): string => password.normalize('NFKC');

/** @throws ApiError validation_failed for a password that contains the person's own sign-in name. */
export function assertNotName(password: string, name: string): void {
  if (!foldName(password).includes(foldName(name))) return;
  throw new ApiError('validation_failed', 'validation failure: password: must not contain the sign-in name');
}

import { pause } from '@paper/timing';
import { PortalError } from '../base/errors.ts';
import type { PortalDatabase } from '../base/database.ts';
import { foldName } from './passwords.ts';
import type { Passwords } from './passwords.ts';
import { emailNotConfirmed, findPersonByName } from './people.ts';
import type { Person } from '../base/schema.ts';
import type { Throttle, ThrottleLimit } from './throttle.ts';

type SignInAttempt = Readonly<{ password: string; address: string; signal: AbortSignal }>;

const message = 'Too many wrong passwords';
const OF_NAME_AND_ADDRESS = { kind: 'wrong passwords of a name and an address', events: 10, minutes: 15, message };
const OF_ADDRESS: ThrottleLimit = {
  kind: 'wrong passwords of an address',
  events: 50,
  minutes: 60,
  message: `${message} from your address`,
};
/** The wrong passwords for a name from everywhere beyond which each attempt is delayed. */
const OF_NAME = { kind: 'wrong passwords of a name', events: 100, minutes: 60 } as const;
/** The limit of wrong passwords in a session, which a thief of the session might try. */
const OF_PERSON = { kind: 'wrong proofs of a person', events: 10, minutes: 15, message };

/** The delay that each attempt beyond the limit of a name adds; below, the longest delay. */
const DELAY_STEP_MS = 100;
const DELAY_MS_MAX = 5_000;

/**
 * Checks passwords. An attempt counts as wrong until it is proved right, so that concurrent attempts cannot exceed a
 * limit. It also counts if its client leaves before: else an address could fill the queue of passwords without a limit.
 * An unknown name counts, and takes the same time, as a known one does.
 */
export class PasswordSignIn {
  constructor(
    private readonly db: PortalDatabase,
    private readonly passwords: Passwords,
    private readonly throttle: Throttle,
  ) {}

  /**
   * Finds the person with this sign-in name, or confirmed e-mail address, and this password. @throws PortalError
   * wrong_credentials, ApiError forbidden or rate_limited, and Unavailable or RateLimited when too many wait.
   */
  async find(name: string, { address, password, signal }: SignInAttempt): Promise<Person> {
    const folded = foldName(name);
    const ofBoth = JSON.stringify([folded, address]);
    // The address comes first: a name that it invents is stored only while its own limit lets it try.
    await this.throttle.take(OF_ADDRESS, address);
    try {
      await this.throttle.take(OF_NAME_AND_ADDRESS, ofBoth);
    } catch (error) {
      await this.throttle.giveBack(OF_ADDRESS, address);
      throw error;
    }
    const tries = await this.throttle.count(OF_NAME, folded);
    let outcome: 'unchecked' | 'right' | 'wrong' = 'unchecked';
    try {
      await pause(Math.min(DELAY_MS_MAX, DELAY_STEP_MS * Math.max(0, tries - OF_NAME.events)), { signal });
      const person = await findPersonByName(this.db, folded);
      const isRight = await this.passwords.verify(person?.password_hash ?? null, password, address, signal);
      outcome = isRight ? 'right' : 'wrong';
      if (person === null || !isRight || person.state === 'leaving') throw wrongCredentials();
      if (person.state === 'unconfirmed') throw emailNotConfirmed();
      return person;
    } finally {
      const isLeft = outcome === 'unchecked' && signal.aborted;
      if (outcome !== 'wrong' && !isLeft) {
        await this.throttle.giveBack(OF_NAME_AND_ADDRESS, ofBoth);
        await this.throttle.giveBack(OF_ADDRESS, address);
        await this.throttle.giveBack(OF_NAME, folded);
      }
    }
  }

  /** Checks the password of a signed-in person. @throws as `find`. */
  async check(person: Person, { address, password, signal }: SignInAttempt): Promise<void> {
    await this.throttle.take(OF_PERSON, person.id);
    if (!(await this.passwords.verify(person.password_hash, password, address, signal))) {
      throw new PortalError(
        'wrong_credentials',
        person.password_hash === null ? 'You have no password: use a passkey' : 'The password is wrong',
      );
    }
    await this.throttle.giveBack(OF_PERSON, person.id);
  }
}

function wrongCredentials(): PortalError {
  return new PortalError('wrong_credentials', 'The name or the password is wrong');
}

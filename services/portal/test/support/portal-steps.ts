import { createLogger, createMetrics } from '@paper/runtime';
import { z } from 'zod';
import { AccountOpening } from '../../src/accounts/account-opening.ts';
import { SignUps } from '../../src/accounts/sign-up.ts';
import { portalSettings } from '../../src/base/config.ts';
import { connectPortal } from '../../src/base/database.ts';
import { EmailChange } from '../../src/identity/email-change.ts';
import { EmailLinks } from '../../src/identity/email-links.ts';
import { findPerson } from '../../src/identity/people.ts';
import { Throttle } from '../../src/identity/throttle.ts';
import { Apis } from '../../src/keys/api.ts';
import { ownAccount, PortalKeys } from '../../src/keys/portal-keys.ts';
import { Vault } from '../../src/base/vault.ts';

/** A change of the portal that several statements make, and the rest of its own settings. */
export type PortalStep =
  | { readonly kind: 'sign-up'; readonly name: string }
  | { readonly kind: 'confirm-email'; readonly token: string }
  | { readonly kind: 'issue-key'; readonly personId: string };

export interface StepSettings {
  readonly databaseUrl: string;
  readonly apiUrl: string;
  readonly operatorToken: string;
  /** PORTAL_SECRET. */
  readonly secret: string;
}

/** Makes the change with the portal's own parts. It may have been begun before. */
export async function runStep(
  step: PortalStep,
  { apiUrl, databaseUrl, operatorToken, secret }: StepSettings,
): Promise<void> {
  const logger = createLogger({ name: 'step', level: 'silent' }, process.stderr);
  const db = connectPortal(databaseUrl, () => undefined);
  const vault = new Vault([secret]);
  const throttle = new Throttle(db, vault);
  const apis = new Apis(() => apiUrl, operatorToken);
  const keys = new PortalKeys(db, vault, apis, logger);
  try {
    switch (step.kind) {
      case 'sign-up': {
        const config = z.object({ ...portalSettings, HOST: z.string() }).parse({
          HOST: '127.0.0.1',
          SIGN_UPS_PER_HOUR: '1000',
          SIGN_UPS_PER_DAY: '1000',
        });
        const signUps = new SignUps(db, throttle, config);
        const idempotencyKey = `the sign-up of ${step.name}`;
        const person =
          (await signUps.findByRequest(idempotencyKey)) ??
          (await signUps.store({
            signInName: step.name,
            displayName: step.name,
            passwordHash: null,
            invite: null,
            idempotencyKey,
            address: 'a test',
            waitsForEmail: false,
            arrival: null,
            passkey: null,
            cameFrom: null,
          }));
        await new AccountOpening(db, apis, keys, logger, createMetrics(false)).finish(person.id);
        return;
      }
      case 'confirm-email': {
        const mailer = { send: () => Promise.resolve(), verify: () => Promise.resolve(), close: () => undefined };
        const links = new EmailLinks(db, mailer, () => ({ origin: 'http://localhost' }), logger);
        await new EmailChange(db, links, throttle, logger).confirm(step.token);
        return;
      }
      case 'issue-key': {
        const person = await findPerson(db, step.personId);
        if (person === null) throw new Error('no such person');
        await keys.get(ownAccount(person), 'everyday');
      }
    }
  } finally {
    await db.destroy();
  }
}

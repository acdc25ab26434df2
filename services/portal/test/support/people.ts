import { randomUUID } from 'node:crypto';
import type { TestBrowser } from './test-browser.ts';
import type { TestPortal } from './test-portal.ts';

export const PASSWORD = 'correct horse battery staple';

/** The body of a sign-up; `more` overrides. */
export function signUpBody(name: string, more: object = {}): Record<string, unknown> {
  return {
    signInName: name,
    displayName: `Trader ${name}`.slice(0, 24),
    password: PASSWORD,
    idempotencyKey: randomUUID(),
    ...more,
  };
}

/** A person who signed up at a portal with an exchange behind it, in their browser. */
export interface SignedUpPerson {
  readonly browser: TestBrowser;
  readonly accountId: string;
}

/** Signs a person up. */
export async function signUp(portal: TestPortal, name: string): Promise<SignedUpPerson> {
  const browser = portal.browser();
  const { person } = await browser.expect<{ person: { accountId: string } }>(201, 'POST', '/portal/sign-up', {
    body: signUpBody(name),
  });
  return { browser, accountId: person.accountId };
}

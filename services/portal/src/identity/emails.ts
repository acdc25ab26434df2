import type { PortalTables } from '../base/schema.ts';
import type { Email } from './mailer.ts';

export const LINK_MINUTES = 30;

export type LinkPurpose = PortalTables['email_tokens']['purpose'];
type EmailContent = Omit<Email, 'to'>;

/** For each purpose the page that its link opens, and what stands before the link and after its validity. */
const LINKS: Readonly<Record<LinkPurpose, { page: string; subject: string; before: string; after: string }>> = {
  'confirm-sign-up': {
    page: '/confirm',
    subject: 'Confirm your e-mail address',
    before: 'Open this link to finish your sign-up:',
    after: '\n\nIf you did not sign up, ignore this e-mail: no account is opened then.',
  },
  'confirm-email': {
    page: '/confirm',
    subject: 'Confirm your new e-mail address',
    before: 'Open this link to use this address for your account:',
    after: '\n\nIf you did not ask for this, ignore this e-mail: nothing changes then.',
  },
  recover: {
    page: '/recover',
    subject: 'Get back into your account',
    before: 'Open this link to choose a new password:',
    after:
      ' All your sessions end when you choose one.\n\n' +
      'If you did not ask for this, ignore this e-mail: your password stays as it is.',
  },
};

// No e-mail contains text written by people, so that nobody can make the service send their words to others.

export function linkEmail(purpose: LinkPurpose, origin: string, token: string): EmailContent {
  const { after, before, page, subject } = LINKS[purpose];
  const validity = `It works once, for ${LINK_MINUTES} minutes.`;
  return { subject, text: paragraphs(before, `${origin}${page}#${token}`, validity + after) };
}

export function alreadyUsedEmail(origin: string): EmailContent {
  return {
    subject: 'You have an account already',
    text: paragraphs(
      'This address was entered to confirm it for an account, and yours has it already.',
      `Sign in: ${origin}/sign-in`,
      `If you have lost your password: ${origin}/recover`,
      'If it was not you who entered it, ignore this e-mail: nothing changes.',
    ),
  };
}

export function changedEmail(what: 'password' | 'e-mail address', origin: string): EmailContent {
  return {
    subject: `Your ${what} was changed`,
    text: paragraphs(
      `The ${what} of your account was changed just now.`,
      `If it was not you, get your account back with a recovery code: ${origin}/recover`,
    ),
  };
}

const paragraphs = (...texts: readonly string[]): string => `${texts.join('\n\n')}\n`;

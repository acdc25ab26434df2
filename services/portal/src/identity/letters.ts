import type { Letter } from './mailer.ts';

/** The minutes for which a link in an e-mail is valid. */
export const LINK_MINUTES = 30;

type Text = Omit<Letter, 'to'>;

/**
 * The e-mails of the service. They contain no text written by people, so that nobody can make the service send their
 * words to others.
 */
export const letters = {
  confirmSignUp: (link: string): Text => ({
    subject: 'Confirm your e-mail address',
    text: lines(
      'Open this link to finish your sign-up:',
      link,
      `It works once, for ${LINK_MINUTES} minutes.`,
      'If you did not sign up, ignore this e-mail: no account is opened then.',
    ),
  }),
  confirmChange: (link: string): Text => ({
    subject: 'Confirm your new e-mail address',
    text: lines(
      'Open this link to use this address for your account:',
      link,
      `It works once, for ${LINK_MINUTES} minutes.`,
      'If you did not ask for this, ignore this e-mail: nothing changes then.',
    ),
  }),
  alreadyUsed: (signInPage: string, recoverPage: string): Text => ({
    subject: 'You have an account already',
    text: lines(
      'This address was entered to confirm it for an account, and yours has it already.',
      `Sign in: ${signInPage}`,
      `If you have lost your password: ${recoverPage}`,
      'If it was not you who entered it, ignore this e-mail: nothing changes.',
    ),
  }),
  recover: (link: string): Text => ({
    subject: 'Get back into your account',
    text: lines(
      'Open this link to choose a new password:',
      link,
      `It works once, for ${LINK_MINUTES} minutes. All your sessions end when you choose one.`,
      'If you did not ask for this, ignore this e-mail: your password stays as it is.',
    ),
  }),
  changed: (what: 'password' | 'e-mail address', securityPage: string): Text => ({
    subject: `Your ${what} was changed`,
    text: lines(
      `The ${what} of your account was changed just now.`,
      `If it was not you, get your account back with a recovery code: ${securityPage}`,
    ),
  }),
};

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}

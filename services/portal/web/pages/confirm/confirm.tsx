import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { portalCall } from '../../data/api/calls.ts';
import { useSession } from '../../data/session/session.tsx';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import type { SignedUp } from '../../data/people/answers.ts';
import { useLinkToken } from '../../data/people/link-token.ts';
import { RecoveryCodes } from '../../data/people/recovery-codes.tsx';
import { StepHeading } from '../../ui/step-heading.tsx';

/** The answer of `POST /portal/confirm`: of a sign-up, or of an address that was changed. */
type Confirmed = SignedUp | { readonly email: string };

/**
 * Confirms an e-mail address by the link that was sent there. A button does it, since programs open links of e-mails to
 * look at them, and a link works once.
 */
export default function Confirm() {
  const token = useLinkToken();
  const { refresh } = useSession();
  const [, navigate] = useLocation();
  const [confirmed, setConfirmed] = useState<Confirmed | null>(null);
  const submission = useSubmission({
    fields: [],
    send: async () => {
      setConfirmed(await portalCall<Confirmed>('POST', '/portal/confirm', { token }));
      await refresh();
    },
  });
  if (confirmed !== null && 'recoveryCodes' in confirmed) {
    return (
      <div class="narrow">
        <StepHeading>Welcome, {confirmed.person.displayName}</StepHeading>
        <RecoveryCodes
          codes={confirmed.recoveryCodes}
          signInName={confirmed.person.signInName}
          onStored={() => navigate('/')}
        />
      </div>
    );
  }
  return (
    <div class="narrow">
      <h1>Confirm your e-mail address</h1>
      {confirmed !== null && (
        <p role="status">
          {confirmed.email} is confirmed. <a href="/account">Go to your account</a>
        </p>
      )}
      {confirmed === null && token !== null && <Form label="Confirm" submission={submission} action="Confirm" />}
      {confirmed === null && token === null && (
        <p>
          This page is opened by the link in an e-mail. If yours does not work, sign up or change the address again.
        </p>
      )}
    </div>
  );
}

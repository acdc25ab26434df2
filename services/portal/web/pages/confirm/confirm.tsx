import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { portalCall } from '../../data/api/calls.ts';
import { useSession } from '../../data/session/session.tsx';
import { Form, useSubmission } from '../../ui/form.tsx';
import type { SignedUp } from '../../data/people/answers.ts';
import { useLinkToken } from '../../data/people/link-token.ts';
import { localPath } from '../../data/people/local-path.ts';

type Confirmed = SignedUp | { readonly email: string };

/** Confirms an e-mail address by a button, since e-mail programs open links and this link works once. */
export default function Confirm() {
  const token = useLinkToken();
  const { refresh } = useSession();
  const [, navigate] = useLocation();
  const [email, setEmail] = useState<string | null>(null);
  const submission = useSubmission({
    send: async () => {
      const confirmed = await portalCall<Confirmed>('POST', '/portal/confirm', { token });
      await refresh();
      if ('person' in confirmed) navigate(localPath(confirmed.cameFrom, location.origin), { replace: true });
      else setEmail(confirmed.email);
    },
  });
  return (
    <div class="narrow">
      <h1>Confirm your e-mail address</h1>
      {email !== null && (
        <p role="status">
          {email} is confirmed. <a href="/account">Go to your account</a>
        </p>
      )}
      {email === null && token !== null && <Form submission={submission} action="Confirm" />}
      {email === null && token === null && (
        <p>
          This page is opened by the link in an e-mail. If yours does not work, sign up or change the address again.
        </p>
      )}
    </div>
  );
}

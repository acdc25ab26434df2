import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { hasPasskeys } from '../../data/api/passkeys.ts';
import { localPath } from '../../data/people/local-path.ts';
import { useSession } from '../../data/session/session.tsx';
import type { SessionInfo } from '../../data/session/session.tsx';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { StepHeading } from '../../ui/step-heading.tsx';
import { SignUpForm } from './sign-up-form.tsx';

type Step =
  | { readonly name: 'form' }
  | { readonly name: 'e-mail'; readonly address: string }
  | { readonly name: 'done'; readonly displayName: string };

/** Opens an account for a new person, and returns to the page that they came from. */
export default function SignUp() {
  const { info, error, refresh } = useSession();
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const [step, setStep] = useState<Step>({ name: 'form' });
  const [canMakePasskeys, setCanMakePasskeys] = useState<boolean | null>(null);
  useEffect(() => void hasPasskeys().then(setCanMakePasskeys), []);
  if (step.name === 'e-mail') {
    return (
      <div class="narrow">
        <StepHeading>Open the link in your e-mail</StepHeading>
        <p role="status">
          A link was sent to <strong>{step.address}</strong>. Your account opens when you follow it. It works once, for
          30 minutes.
        </p>
        <p class="quiet">
          Nothing arrived? Look among the spam, then sign up again with another sign-in name: this one is taken until a
          day has passed.
        </p>
      </div>
    );
  }
  if (step.name === 'done') {
    return (
      <div class="narrow">
        <StepHeading>Welcome, {step.displayName}</StepHeading>
      </div>
    );
  }
  return (
    <div class="narrow">
      <h1>Sign up</h1>
      {(info === null || canMakePasskeys === null) && <ReadNotice data={null} error={info === null ? error : null} />}
      {info !== null && canMakePasskeys !== null && (
        <SignUpPossible info={info}>
          <SignUpForm
            info={info}
            canMakePasskeys={canMakePasskeys}
            onEmailSent={(address) => setStep({ name: 'e-mail', address })}
            onSignedUp={({ person: { displayName } }) => {
              setStep({ name: 'done', displayName });
              const next = localPath(search.get('next'), location.origin);
              void refresh().then(() => navigate(next, { replace: true }));
            }}
          />
        </SignUpPossible>
      )}
    </div>
  );
}

function SignUpPossible({ info, children }: { readonly info: SessionInfo; readonly children: ComponentChildren }) {
  if (info.reason !== null) return <Notice kind="warning">{info.reason}</Notice>;
  if (info.person !== null) {
    return (
      <p>
        You are signed in as {info.person.displayName}. <a href="/portfolio">Go to your portfolio</a>
      </p>
    );
  }
  if (info.signUp === 'closed') {
    return (
      <p>
        This service takes no new people. <a href="/sign-in">Sign in</a> if you have an account.
      </p>
    );
  }
  return <>{children}</>;
}

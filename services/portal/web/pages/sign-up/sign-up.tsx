import { useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { localPath } from '../../data/people/local-path.ts';
import { useSession } from '../../data/session/session.tsx';
import type { SessionInfo } from '../../data/session/session.tsx';
import type { SignedUp } from '../../data/people/answers.ts';
import { RecoveryCodes } from '../../data/people/recovery-codes.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StepHeading } from '../../ui/step-heading.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** How far a sign-up is. */
type Step =
  | { readonly name: 'form' }
  | { readonly name: 'e-mail'; readonly address: string }
  | { readonly name: 'codes'; readonly answer: SignedUp; readonly warning: string | null };

/** Opens an account for a new person, and leads back to the page that they came from. */
export default function SignUp() {
  const { info, error, refresh } = useSession();
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const [step, setStep] = useState<Step>({ name: 'form' });
  if (step.name === 'e-mail') {
    return (
      <div class="narrow">
        <StepHeading>Open the link in your e-mail</StepHeading>
        <p role="status">
          A link was sent to <strong>{step.address}</strong>. Your account opens when you follow it. It works once, for
          30 minutes.
        </p>
        <p class="quiet">Nothing arrived? Look among the spam, then sign up again with the same name.</p>
      </div>
    );
  }
  if (step.name === 'codes') {
    const { answer, warning } = step;
    return (
      <div class="narrow">
        <StepHeading>Welcome, {answer.person.displayName}</StepHeading>
        {warning !== null && <Notice kind="warning">{warning}</Notice>}
        <RecoveryCodes
          codes={answer.recoveryCodes}
          signInName={answer.person.signInName}
          onStored={() => navigate(localPath(search.get('next'), location.origin))}
        />
      </div>
    );
  }
  return (
    <div class="narrow">
      <h1>Sign up</h1>
      {info === null && error !== null && <Notice kind="error">{error.message}</Notice>}
      {info !== null && (
        <SignUpPossible info={info}>
          <SignUpForm
            info={info}
            onEmailSent={(address) => setStep({ name: 'e-mail', address })}
            onSignedUp={(answer, warning) => {
              setStep({ name: 'codes', answer, warning });
              void refresh();
            }}
          />
        </SignUpPossible>
      )}
    </div>
  );
}

/** Shows the form, or why there is none. */
function SignUpPossible({
  info,
  children,
}: {
  readonly info: SessionInfo;
  readonly children: preact.ComponentChildren;
}) {
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

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionInfo } from '../../data/session/session.tsx';
import { useWayBack } from '../../data/session/way-back.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Field } from '../../ui/field.tsx';
import { useSignUp } from './use-sign-up.ts';
import type { SignUpEnds, SignUpFields } from './use-sign-up.ts';

export interface SignUpFormProps extends SignUpEnds {
  readonly info: SessionInfo;
  /** The form then offers a passkey first. */
  readonly canMakePasskeys: boolean;
}

/** The sign-up form. If e-mail is enabled, the account opens once the address is confirmed. */
export function SignUpForm({ info, canMakePasskeys, ...ends }: SignUpFormProps) {
  const { fields, change, isFromCompany, submission } = useSignUp(info, canMakePasskeys, ends);
  const { signIn } = useWayBack();
  const { errors, form } = submission;
  useFocusOnPassword(form, fields.means);
  return (
    <>
      <p class="quiet">
        {isFromCompany && <>You are known to {info.companyName}, and have no account here yet. </>}
        You get $10,000 of simulated money to trade with. <a href={signIn}>Sign in</a> if you have an account.
      </p>
      <Form
        label="Sign up"
        submission={submission}
        action={fields.means === 'passkey' ? 'Sign up with a passkey' : 'Sign up'}
        more={<OtherMeans choices={meansOf(info, isFromCompany)} means={fields.means} onMeans={change} />}
      >
        {info.signUp === 'invite' && (
          <Field
            label="Invite"
            hint="The link that an operator gave you, or the code at its end."
            autocomplete="off"
            required
            value={fields.invite}
            onValue={(invite) => change({ invite })}
            error={errors.invite}
          />
        )}
        <Field
          label="Display name"
          hint="Public: it stands on the leaderboard. Use a nickname."
          autocomplete="nickname"
          required
          value={fields.displayName}
          onValue={(displayName) => change({ displayName })}
          error={errors.displayName}
        />
        <Field
          label="Sign-in name"
          hint="Private: only you see it."
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          value={fields.signInName}
          onValue={(signInName) => change({ signInName })}
          error={errors.signInName}
        />
        {info.emailEnabled && (
          <Field
            label="E-mail address"
            hint="Private. A link to confirm it is sent there."
            type="email"
            autocomplete="email"
            required
            value={fields.email}
            onValue={(email) => change({ email })}
            error={errors.email}
          />
        )}
        {fields.means === 'password' && (
          <PasswordField
            label="Password"
            purpose="new"
            hint="At least 10 characters."
            value={fields.password}
            onValue={(password) => change({ password })}
            error={errors.password}
          />
        )}
        {fields.means === 'passkey' && (
          <p class="quiet">A passkey is nothing to remember: your device asks for its PIN, your finger or your face.</p>
        )}
      </Form>
      <WhatIsStored />
    </>
  );
}

interface Means {
  readonly value: SignUpFields['means'];
  readonly text: string;
}

/** Once the person has chosen to have a password. */
function useFocusOnPassword(form: RefObject<HTMLFormElement>, means: Means['value']): void {
  const before = useRef(means);
  useEffect(() => {
    if (means !== before.current) form.current?.querySelector<HTMLElement>('[type="password"]')?.focus();
    before.current = means;
  }, [means, form]);
}

interface OtherMeansProps {
  readonly choices: readonly Means[];
  readonly means: Means['value'];
  readonly onMeans: (change: Pick<SignUpFields, 'means'>) => void;
}

function OtherMeans({ choices, means, onMeans }: OtherMeansProps) {
  return choices.map(
    ({ value, text }) =>
      value !== means && (
        <Button key={value} kind="quiet" onClick={() => onMeans({ means: value })}>
          Use {text} instead
        </Button>
      ),
  );
}

function meansOf({ companyName, passkeysEnabled }: SessionInfo, isFromCompany: boolean): readonly Means[] {
  return [
    ...(isFromCompany ? [{ value: 'company', text: `${companyName} alone` } as const] : []),
    ...(passkeysEnabled && 'PublicKeyCredential' in window ? [{ value: 'passkey', text: 'a passkey' } as const] : []),
    { value: 'password', text: 'a password' },
  ];
}

/** A short version of docs/prove/privacy.md. */
function WhatIsStored() {
  return (
    <details>
      <summary>What is stored about me?</summary>
      <ul>
        <li>Your sign-in name, password (as a hash) and e-mail address: privately, until you delete your account.</li>
        <li>Your display name: publicly, until you delete your account. Others may have noted it down by then.</li>
        <li>What you trade: publicly and for ever, under a random id. That record has no names of new accounts.</li>
        <li>Versions of this service before this one wrote names into that record. Those stay there.</li>
      </ul>
    </details>
  );
}

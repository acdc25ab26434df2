import { useSearchParams } from 'wouter-preact';
import type { SessionInfo } from '../../data/session/session.tsx';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Field } from '../../ui/field.tsx';
import { useSignUp } from './use-sign-up.ts';
import type { SignUpEnds, SignUpFields } from './use-sign-up.ts';

export interface SignUpFormProps extends SignUpEnds {
  readonly info: SessionInfo;
}

/** The form of a new person. With e-mail on, the account opens once the address is confirmed. */
export function SignUpForm({ info, ...ends }: SignUpFormProps) {
  const { fields, change, isFromCompany, submission } = useSignUp(info, ends);
  const [given] = useSearchParams();
  const search = given.size === 0 ? '' : `?${given.toString()}`;
  const means = meansOf(info, isFromCompany);
  const { errors } = submission;
  return (
    <>
      <p class="quiet">
        {isFromCompany && <>You are known to {info.companyName}, and have no account here yet. </>}
        You get simulated money to trade with. <a href={`/sign-in${search}`}>Sign in</a> if you have an account.
      </p>
      <Form label="Sign up" submission={submission} action="Sign up">
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
        {means.length > 1 && (
          <ChooseMeans choices={means} means={fields.means} onMeans={(chosen) => change({ means: chosen })} />
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
      </Form>
      <WhatIsStored />
    </>
  );
}

interface Means {
  readonly value: SignUpFields['means'];
  readonly text: string;
}

/**
 * The means of sign-in that a new person can choose. A passkey is made right after the sign-up, so it is not offered
 * where the sign-up waits for an e-mail.
 */
function meansOf(
  { companyName, emailEnabled, passkeysEnabled }: SessionInfo,
  isFromCompany: boolean,
): readonly Means[] {
  const company: Means = { value: 'company', text: `${companyName} alone` };
  const password: Means = { value: 'password', text: 'A password' };
  const passkey: Means = {
    value: 'passkey',
    text: 'A passkey: your device asks for its PIN, your finger or your face',
  };
  return [...(isFromCompany ? [company] : []), password, ...(passkeysEnabled && !emailEnabled ? [passkey] : [])];
}

interface ChooseMeansProps {
  readonly choices: readonly Means[];
  readonly means: SignUpFields['means'];
  readonly onMeans: (means: SignUpFields['means']) => void;
}

function ChooseMeans({ choices, means, onMeans }: ChooseMeansProps) {
  return (
    <fieldset class="choices">
      <legend>Sign in with</legend>
      {choices.map(({ value, text }) => (
        <label key={value} class="check">
          <input type="radio" name="means" value={value} checked={means === value} onChange={() => onMeans(value)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** docs/prove/privacy.md in short. */
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

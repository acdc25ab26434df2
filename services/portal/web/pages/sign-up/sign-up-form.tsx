import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import type { SessionInfo } from '../../data/session/session.tsx';
import { useWayBack } from '../../data/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import type { FormField } from '../../ui/fields-form.tsx';
import { faultsOf, useSignUp } from './use-sign-up.ts';
import type { Means, SignUpEnds, SignUpFields } from './use-sign-up.ts';

export interface SignUpFormProps extends SignUpEnds {
  readonly info: SessionInfo;
  /** Whether this device can store passkeys; the form then offers a passkey first. */
  readonly canMakePasskeys: boolean;
}

/** The sign-up form. If e-mail is enabled, the account opens once the address is confirmed. */
export function SignUpForm({ info, canMakePasskeys, ...ends }: SignUpFormProps) {
  const { companyName, passkeysEnabled } = info;
  const [search] = useSearchParams();
  const { signIn } = useWayBack();
  // The company's sign-in sends people here whose identity belongs to no account yet.
  const isFromCompany = companyName !== null && search.get('company') === 'new';
  const choices: Partial<Record<Means, string>> = {
    ...(isFromCompany && { company: `${companyName} alone` }),
    ...(passkeysEnabled && 'PublicKeyCredential' in window && { passkey: 'a passkey' }),
    password: 'a password',
  };
  const [means, setMeans] = useState<Means>(
    isFromCompany ? 'company' : passkeysEnabled && canMakePasskeys ? 'passkey' : 'password',
  );
  const send = useSignUp(means, isFromCompany, ends);
  return (
    <>
      <p class="quiet">
        {isFromCompany && <>You are known to {companyName}, and have no account here yet. </>}
        You get $10,000 of simulated money to trade with. <a href={signIn}>Sign in</a> if you have an account.
      </p>
      <FieldsForm
        label="Sign up"
        action={means === 'passkey' ? 'Sign up with a passkey' : 'Sign up'}
        fields={fieldsOf(info, means, search.get('invite') ?? '')}
        byCode={{ name_taken: 'signInName', sign_up_closed: 'invite' }}
        check={faultsOf}
        send={send}
        isKept
        more={Object.entries(choices).map(
          ([value, text]) =>
            value !== means && (
              <Button key={value} kind="quiet" onClick={() => choose(value as Means, setMeans)}>
                Use {text} instead
              </Button>
            ),
        )}
      >
        {() =>
          means === 'passkey' && (
            <p class="quiet">
              A passkey is nothing to remember: your device asks for its PIN, your finger or your face.
            </p>
          )
        }
      </FieldsForm>
      <WhatIsStored />
    </>
  );
}

function fieldsOf({ emailEnabled, signUp }: SessionInfo, means: Means, invite: string) {
  const fields: Partial<Record<keyof SignUpFields, FormField>> = {
    ...(signUp === 'invite' && {
      invite: {
        label: 'Invite',
        hint: 'The link that an operator gave you, or the code at its end.',
        autocomplete: 'off',
        start: invite,
      },
    }),
    displayName: {
      label: 'Display name',
      hint: 'Public: it stands on the leaderboard. Use a nickname.',
      autocomplete: 'nickname',
    },
    signInName: {
      label: 'Sign-in name',
      hint: 'Private: only you see it.',
      autocomplete: 'username',
      autocapitalize: 'none',
      spellcheck: false,
    },
    ...(emailEnabled && {
      email: {
        label: 'E-mail address',
        hint: 'Private. A link to confirm it is sent there.',
        type: 'email',
        autocomplete: 'email',
      },
    }),
    ...(means === 'password' && { password: { label: 'Password', purpose: 'new', hint: 'At least 10 characters.' } }),
  };
  return fields as Required<typeof fields>;
}

/** Changes the means of sign-in, and focuses the password field if there is one then. */
function choose(means: Means, setMeans: (means: Means) => void): void {
  setMeans(means);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.form [type="password"]')?.focus());
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

import { useState } from 'preact/hooks';
import { useSession } from '../../data/session/session.tsx';
import type { SessionInfo } from '../../data/session/session.tsx';
import type { Recovered } from '../../data/people/answers.ts';
import { useLinkToken } from '../../data/people/link-token.ts';
import { RecoveredAccount } from '../../data/people/recovered-account.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StepHeading } from '../../ui/step-heading.tsx';
import { portalCall } from '../../data/api/calls.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { SIGN_IN_NAME } from '../../ui/field.tsx';

export default function Recover() {
  const { info, error } = useSession();
  const token = useLinkToken();
  const [recovered, setRecovered] = useState<Recovered | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (recovered !== null) return <RecoveredAccount recovered={recovered} />;
  if (sentTo !== null) {
    return (
      <div class="narrow">
        <StepHeading>Look into your e-mail</StepHeading>
        <p role="status">
          If <strong>{sentTo}</strong> is the confirmed address of an account, a link was sent there. It works once, for
          30 minutes.
        </p>
      </div>
    );
  }
  return (
    <div class="narrow">
      <h1>Get back into your account</h1>
      {info === null && error !== null && <Notice kind="error">{error.message}</Notice>}
      {info !== null && info.reason !== null && <Notice kind="warning">{info.reason}</Notice>}
      {info !== null && info.reason === null && token === null && (
        <Ways info={info} onRecovered={setRecovered} onSent={setSentTo} />
      )}
      {info !== null && info.reason === null && token !== null && <LinkForm token={token} onRecovered={setRecovered} />}
    </div>
  );
}

const WAYS = { code: 'With a recovery code', 'e-mail': 'With a link by e-mail' };

interface WaysProps {
  readonly info: SessionInfo;
  readonly onRecovered: (recovered: Recovered) => void;
  readonly onSent: (address: string) => void;
}

function Ways({ info, onRecovered, onSent }: WaysProps) {
  const [way, setWay] = useState<keyof typeof WAYS>('code');
  return (
    <>
      {info.emailEnabled && (
        <fieldset class="choices">
          <legend>How</legend>
          {Object.entries(WAYS).map(([value, text]) => (
            <label key={value} class="check">
              <input type="radio" name="way" checked={way === value} onChange={() => setWay(value as typeof way)} />
              {text}
            </label>
          ))}
        </fieldset>
      )}
      {way === 'code' ? <CodeForm onRecovered={onRecovered} /> : <EmailForm onSent={onSent} />}
      <p class="quiet">
        {info.emailEnabled
          ? 'Without a code and a confirmed e-mail address there is no way back: the service has no other proof that it is you.'
          : 'Without a code there is no way back: the service has no other proof that it is you.'}
      </p>
    </>
  );
}

function CodeForm({ onRecovered }: { readonly onRecovered: (recovered: Recovered) => void }) {
  return (
    <FieldsForm
      label="Recover with a code"
      action="Set the new password"
      fields={{
        name: SIGN_IN_NAME,
        code: {
          label: 'Recovery code',
          hint: 'One of the ten that you stored. It is used up by this.',
          class: 'code',
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
        },
        password: { label: 'New password', purpose: 'new', hint: 'At least 10 characters.' },
      }}
      byCode={{ wrong_credentials: 'code' }}
      send={async (values) => onRecovered(await portalCall<Recovered>('POST', '/portal/recover', values))}
    />
  );
}

/** Asks for a link by e-mail. The answer is the same for an unknown address. */
function EmailForm({ onSent }: { readonly onSent: (address: string) => void }) {
  const hint = 'The one that you confirmed.';
  return (
    <FieldsForm
      label="Recover by e-mail"
      action="Send the link"
      fields={{ email: { label: 'E-mail address', hint, type: 'email', autocomplete: 'email' } }}
      send={async ({ email }) => {
        await portalCall('POST', '/portal/recover', { email });
        onSent(email);
      }}
    />
  );
}

type LinkFormProps = Readonly<{ token: string; onRecovered: (recovered: Recovered) => void }>;

function LinkForm({ token, onRecovered }: LinkFormProps) {
  const hint = 'At least 10 characters. All your sessions end, and you are signed in here.';
  return (
    <FieldsForm
      label="Recover by the link"
      action="Set the new password"
      fields={{ password: { label: 'New password', purpose: 'new', hint } }}
      send={async ({ password }) =>
        onRecovered(await portalCall<Recovered>('POST', '/portal/recover/link', { token, password }))
      }
    />
  );
}

import { useState } from 'preact/hooks';
import { useSession } from '../../data/session/session.tsx';
import type { SessionInfo } from '../../data/session/session.tsx';
import type { Recovered } from '../../data/people/answers.ts';
import { useLinkToken } from '../../data/people/link-token.ts';
import { RecoveredAccount } from '../../data/people/recovered-account.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StepHeading } from '../../ui/step-heading.tsx';
import { CodeForm } from './code-form.tsx';
import { EmailForm } from './email-form.tsx';
import { LinkForm } from './link-form.tsx';

/** The account recovery for people who lost their password and passkeys. */
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

type Way = 'code' | 'e-mail';

interface WaysProps {
  readonly info: SessionInfo;
  readonly onRecovered: (recovered: Recovered) => void;
  readonly onSent: (address: string) => void;
}

function Ways({ info, onRecovered, onSent }: WaysProps) {
  const [way, setWay] = useState<Way>('code');
  const choices = [
    { value: 'code', text: 'With a recovery code' },
    { value: 'e-mail', text: 'With a link by e-mail' },
  ] as const;
  return (
    <>
      {info.emailEnabled && (
        <fieldset class="choices">
          <legend>How</legend>
          {choices.map(({ value, text }) => (
            <label key={value} class="check">
              <input type="radio" name="way" checked={way === value} onChange={() => setWay(value)} />
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

import { useEffect, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { toCallError } from '../../base/call-error.ts';
import { portalCall } from '../../data/api/calls.ts';
import { useRead } from '../../data/api/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { optionsOf, Segments } from '../../ui/segments.tsx';
import { Accounts } from './accounts.tsx';
import { Markets } from './markets.tsx';
import { Status } from './status.tsx';
import { Transfers } from './transfers.tsx';
import { useAttended } from './use-attended.ts';
import { OPERATOR_NOTE } from '../../data/session/operator-here.ts';

/** The session is checked this often, since it ends after 30 minutes without a call. */
const EVERY_MS = 30_000;

/** The parts of the page. Only one is shown, so that nothing moves below a list that is being read. */
const PARTS = optionsOf('markets', 'accounts', 'transfers', 'system');

export default function Operators() {
  const isAttended = useAttended();
  const everyMs = isAttended ? EVERY_MS : undefined;
  const { data, error, reload } = useRead<{ readonly signedIn: boolean }>('/portal/operator/session', { everyMs });
  const isSignedIn = data?.signedIn ?? null;
  useEffect(() => {
    if (isSignedIn !== null) noteOperator(isSignedIn);
  }, [isSignedIn]);
  return (
    <>
      <h1>Operators</h1>
      {data === null && error === null && <p class="quiet loading">Loading …</p>}
      {error !== null && (
        <Notice kind="error">
          {error.code === 'not_found'
            ? 'Operators cannot sign in here. Whoever runs the service can allow it: PORTAL_OPERATORS=on.'
            : error.message}
        </Notice>
      )}
      {isSignedIn === false && <SignIn onSignedIn={reload} />}
      {isSignedIn === true && <SignedIn isAttended={isAttended} onEnd={reload} />}
    </>
  );
}

function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const hint = 'One of OPERATOR_TOKENS. The standalone writes it to service.json in its data folder.';
  return (
    <Section title="Sign in">
      <p>
        The token is sent once and stays with the service, encrypted, for this session alone. The session ends after 30
        minutes without a call.
      </p>
      <FieldsForm
        label="Sign in as an operator"
        action="Sign in"
        fields={{ token: { label: 'Operator token', hint, type: 'password', autocomplete: 'off' } }}
        byCode={{ wrong_credentials: 'token' }}
        send={async (values) => {
          await portalCall('POST', '/portal/operator/session', values);
          onSignedIn();
        }}
      />
    </Section>
  );
}

/** The page of a signed-in operator. `?part=` in its address names the part that is shown. */
function SignedIn({ isAttended, onEnd }: { readonly isAttended: boolean; readonly onEnd: () => void }) {
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get('part');
  const part = PARTS.find(({ value }) => value === asked)?.value ?? 'markets';
  const [failure, setFailure] = useState<string | null>(null);
  const end = (): void => {
    setFailure(null);
    portalCall('DELETE', '/portal/operator/session').then(onEnd, (error: unknown) =>
      setFailure(toCallError(error).message),
    );
  };
  return (
    <>
      <div class="page-head">
        <Segments
          label="Part"
          value={part}
          options={PARTS}
          onValue={(value) => navigate(`/operators?part=${value}`, { replace: true })}
        />
        <Button onClick={end}>End the operator's session</Button>
      </div>
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      {part === 'markets' && <Markets />}
      {part === 'accounts' && <Accounts />}
      {part === 'transfers' && <Transfers />}
      {part === 'system' && <Status isAttended={isAttended} />}
    </>
  );
}

function noteOperator(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(OPERATOR_NOTE, 'signed in');
    else localStorage.removeItem(OPERATOR_NOTE);
  } catch {
    // The browser does not let this site store anything.
  }
  // Browsers send this event only to other tabs, so this tab sends it to itself.
  window.dispatchEvent(new Event('storage'));
}

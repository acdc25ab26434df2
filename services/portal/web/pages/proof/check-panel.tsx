import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  CheckProgress,
  CheckRequest,
  CheckResult,
  Failed,
  PassedCheck,
} from '../../data/receipts/check-receipts.ts';
import type { CheckedReceipt } from '../../data/receipts/receipt.ts';
import { commandOf, describeCheck } from '../../data/receipts/check-report.ts';
import type { SignedHead } from '../../data/receipts/signed-head.ts';
import { startCheck } from '../../data/receipts/start-check.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { countText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';

export interface CheckPanelProps {
  readonly receipts: readonly CheckedReceipt[];
  readonly head: SignedHead | null;
  /** Whether the journal's own record is checked instead of receipts. */
  readonly isRecord?: boolean;
  readonly onClose?: () => void;
}

type State = CheckResult | { readonly kind: 'running'; readonly progress: CheckProgress | null };

/** Checks receipts as soon as it is shown, and says what that proves. */
export function CheckPanel({ receipts, head, isRecord = false, onClose }: CheckPanelProps) {
  const [state, setState] = useState<State>({ kind: 'running', progress: null });
  const [isLong, setIsLong] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // As a text: receipts that were read again and are equal start no other check.
  const request = JSON.stringify({ receipts, head, isLong } satisfies CheckRequest);
  useEffect(() => {
    setState({ kind: 'running', progress: null });
    const check = startCheck(JSON.parse(request) as CheckRequest, (progress) =>
      setState({ kind: 'running', progress }),
    );
    check.result.then(
      (result) => {
        if (result !== null) setState(result);
      },
      (error: unknown) => setState({ kind: 'unchecked', message: String(error) }),
    );
    return check.cancel;
  }, [request]);
  const title =
    receipts.length > 1
      ? `${receipts.length} receipts`
      : `${isRecord ? 'Record' : 'Receipt'} of event ${receipts[0]?.seq ?? ''}`;
  return (
    <section class="section" aria-labelledby="check-title">
      <h2 id="check-title" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {state.kind === 'running' && <Running progress={state.progress} />}
      {state.kind === 'needs long' && (
        <>
          <Notice kind="info">
            The journal has {countText(state.events)} events from before the oldest receipt to the end. Reading them
            takes a while.
          </Notice>
          <div class="actions">
            <Button kind="main" onClick={() => setIsLong(true)}>
              Check them all
            </Button>
          </div>
        </>
      )}
      {(state.kind === 'fault' || state.kind === 'unchecked') && <NotGood result={state} />}
      {state.kind === 'holds' && <Good receipts={receipts} head={head} isRecord={isRecord} result={state} />}
      {onClose !== undefined && (
        <div class="actions">
          <Button onClick={onClose}>{state.kind === 'running' ? 'Cancel' : 'Close'}</Button>
        </div>
      )}
    </section>
  );
}

function Running({ progress }: { readonly progress: CheckProgress | null }) {
  if (progress === null) return <p role="status">Reading the journal …</p>;
  const { checked, total } = progress;
  return (
    <div class="check-progress">
      <progress aria-label="Checked events" max={total} value={Math.min(checked, total)} />
      <p class="number">
        {countText(checked)} of {countText(total)} events
      </p>
    </div>
  );
}

function NotGood({ result: { kind, message } }: { readonly result: Failed }) {
  const isFault = kind === 'fault';
  return (
    <Notice kind={isFault ? 'error' : 'warning'}>
      <strong>{isFault ? 'Refused: the journal, the receipt or the head was changed.' : 'Not checked.'}</strong>{' '}
      <span>{isFault ? message : `Nothing was found out: ${message}`}</span>
    </Notice>
  );
}

type GoodProps = Pick<CheckPanelProps, 'receipts' | 'head'> & {
  readonly isRecord: boolean;
  readonly result: PassedCheck;
};

function Good({ receipts, head, isRecord, result }: GoodProps) {
  const { shown, notShown } = describeCheck({ receipts, head, isRecord }, result);
  const command = commandOf(location.origin, receipts);
  return (
    <>
      <Notice kind="success">
        <strong>
          {isRecord ? 'The record fits.' : receipts.length === 1 ? 'The receipt holds.' : 'All receipts hold.'}
        </strong>{' '}
        {isRecord
          ? 'From this order on, the journal has every event in its place.'
          : `The journal still has ${receipts.length === 1 ? 'the order' : 'every order'} as it was answered, and nothing before it was changed since.`}
      </Notice>
      <details class="details">
        <summary>Details of this check</summary>
        <h3>What this shows</h3>
        <Findings texts={shown} />
        <h3>What it does not show</h3>
        <Findings texts={notShown} />
        <pre class="command" tabIndex={0} role="region" aria-label="Command">
          {command}
        </pre>
        <CopyButton text={command} what="command" />
      </details>
    </>
  );
}

function Findings({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul class="findings">
      {texts.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );
}

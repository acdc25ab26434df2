import { useSearchParams } from 'wouter-preact';
import { CallError } from '../../base/call-error.ts';
import { portalCall } from '../../data/api/calls.ts';
import type { SessionInfo } from '../../data/session/session.tsx';
import { useChange } from '../../data/people/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';

type CompanyLinkProps = Readonly<{ offered: string; linked: { readonly name: string } | null; onChange: () => void }>;

/** The results of the company's sign-in, by the value of `company` in the address. */
const RESULTS: Readonly<Record<string, { readonly kind: 'success' | 'error'; readonly text: string }>> = {
  linked: { kind: 'success', text: 'Your account is linked.' },
  taken: { kind: 'error', text: 'This identity, or your account, is linked already, and not to each other.' },
  proof: { kind: 'error', text: 'Too much time has passed since you proved who you are: try again.' },
  elsewhere: { kind: 'error', text: 'Another site asked for this, so nothing was done: begin here.' },
  unavailable: { kind: 'error', text: 'The company’s sign-in does not answer: try again later.' },
};

export function CompanyLink({ offered, linked, onChange }: CompanyLinkProps) {
  const [search] = useSearchParams();
  const { busy, failure, run } = useChange(onChange);
  const result = RESULTS[search.get('company') ?? ''];
  const visit = async (): Promise<void> => {
    await assertProven();
    location.assign('/portal/company/start');
  };
  return (
    <Section title="Company sign-in">
      {result !== undefined && <Notice kind={result.kind}>{result.text}</Notice>}
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      <p>{linked === null ? 'Your account is not linked.' : `You can sign in with ${linked.name}.`}</p>
      <div class="actions">
        {linked === null ? (
          <Button isBusy={busy !== null} onClick={() => run('link', visit)}>
            Link {offered}
          </Button>
        ) : (
          <Button isBusy={busy !== null} onClick={() => run('unlink', () => portalCall('DELETE', '/portal/company'))}>
            Take the link away
          </Button>
        )}
      </div>
    </Section>
  );
}

/** Throws CallError proof_required. The company's sign-in leaves the page, so the proof must come before it. */
async function assertProven(): Promise<void> {
  const { person } = await portalCall<SessionInfo>('GET', '/portal/session');
  const until = person?.provenUntil ?? null;
  if (until === null || Date.parse(until) <= Date.now()) {
    throw new CallError('proof_required', 'Prove who you are first.', 403);
  }
}

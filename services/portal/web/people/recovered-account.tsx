import { useLocation } from 'wouter-preact';
import { useSession } from '../app/session.tsx';
import { Button } from '../ui/button.tsx';
import { KeyTable } from '../fleet/key-table.tsx';
import type { Recovered } from './answers.ts';

/** The account after a recovery: which keys live, since whoever had the account may have made some. */
export function RecoveredAccount({ recovered: { person, keys } }: { readonly recovered: Recovered }) {
  const { refresh } = useSession();
  const [, navigate] = useLocation();
  const leave = async (to: string): Promise<void> => {
    await refresh();
    navigate(to);
  };
  const live = keys.filter(({ revokedAt }) => revokedAt === null);
  return (
    <>
      <h1>It is your account again, {person.displayName}</h1>
      <p role="status">Your new password is set. All other sessions have ended.</p>
      <h2>Keys that work</h2>
      {live.length === 0 ? (
        <p>No API key works.</p>
      ) : (
        <>
          <p>
            API keys go on working after a recovery, so that your programs do.{' '}
            <strong>Revoke each that you do not know</strong> on the page Sub-accounts.
          </p>
          <KeyTable caption="Keys that work" keys={live} primaryId={person.accountId} />
        </>
      )}
      <div class="actions">
        {live.length > 0 && <Button onClick={() => void leave('/sub-accounts')}>Look through the keys</Button>}
        <Button kind="main" onClick={() => void leave('/security')}>
          Continue to Security
        </Button>
      </div>
    </>
  );
}

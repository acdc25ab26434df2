import { useLocation } from 'wouter-preact';
import { useSession } from '../session/session.tsx';
import { KeyList } from '../fleet/key-list.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { StepHeading } from '../../ui/step-heading.tsx';
import type { Recovered } from './answers.ts';

/** The account after a recovery, with its unrevoked keys, some of which an intruder may have made. */
export function RecoveredAccount({ recovered: { person, keys } }: { readonly recovered: Recovered }) {
  const { refresh } = useSession();
  const [, navigate] = useLocation();
  const leave = async (to: string): Promise<void> => {
    await refresh();
    navigate(to);
  };
  return (
    <div class="medium">
      <StepHeading>It is your account again, {person.displayName}</StepHeading>
      <p role="status">Your new password is set. All other sessions have ended.</p>
      <Section title="Keys that work">
        {keys === null && <p>The keys cannot be read now. Look through them on the page Developers.</p>}
        {keys?.length === 0 && <p>No API key works.</p>}
        {keys !== null && keys.length > 0 && (
          <>
            <p>
              API keys go on working after a recovery, so that your programs do. Revoke each that you do not know. Those
              named “portal” are used by these pages.
            </p>
            <KeyList
              label="Keys that work"
              keys={keys}
              accountName={({ accountId }) => (accountId === person.accountId ? 'your main account' : 'a sub-account')}
            />
          </>
        )}
        <div class="actions">
          {keys?.length !== 0 && <Button onClick={() => void leave('/developers')}>Look through the keys</Button>}
          <Button kind="main" onClick={() => void leave('/account')}>
            Continue to your account
          </Button>
        </div>
      </Section>
    </div>
  );
}

import { portalCall } from '../../data/api/calls.ts';
import { useSession } from '../../data/session/session.tsx';
import type { DeviceSession } from '../../data/people/answers.ts';
import { useChange } from '../../data/people/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import { Section } from '../../ui/section.tsx';

type SessionsProps = Readonly<{ sessions: readonly DeviceSession[]; onChange: () => void }>;

const EVERYWHERE = 'everywhere';

export function Sessions({ sessions, onChange }: SessionsProps) {
  const { signOut } = useSession();
  const one = useChange(onChange);
  const all = useChange(() => undefined);
  return (
    <Section title="Signed-in devices">
      {one.failure !== null && <Notice kind="error">{one.failure}</Notice>}
      <RowList label="Sessions">
        {sessions.map(({ id, device, createdAt, lastSeenAt, current }) => (
          <Row
            key={id}
            name={device}
            tags={current ? ['this browser'] : []}
            facts={[
              <>
                signed in <Time at={createdAt} />
              </>,
              <>
                last seen <Time at={lastSeenAt} />
              </>,
            ]}
            actions={
              current ? undefined : (
                <Button
                  label={`End the session on ${device}`}
                  isBusy={one.busy === id}
                  onClick={() => one.run(id, () => portalCall('DELETE', `/portal/sessions/${encodeURIComponent(id)}`))}
                >
                  End
                </Button>
              )
            }
          />
        ))}
      </RowList>
      {all.failure !== null && <Notice kind="error">{all.failure}</Notice>}
      <div class="actions">
        <Button
          isBusy={all.busy === EVERYWHERE}
          onClick={() => all.run(EVERYWHERE, () => signOut(() => portalCall('POST', '/portal/sign-out-everywhere')))}
        >
          Sign out everywhere
        </Button>
      </div>
    </Section>
  );
}

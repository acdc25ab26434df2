import { portalCall } from '../../api/calls.ts';
import { useSession } from '../../app/session.tsx';
import type { DeviceSession } from '../../people/answers.ts';
import { useChange } from '../../people/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Cell, Table } from '../../ui/table.tsx';

export interface SessionsProps {
  readonly sessions: readonly DeviceSession[];
  readonly onChange: () => void;
}

const COLUMNS = [{ name: 'Device' }, { name: 'Signed in' }, { name: 'Last seen' }, { name: 'Change' }] as const;
const EVERYWHERE = 'everywhere';

/** The devices that are signed in. Each session can be ended alone. */
export function Sessions({ sessions, onChange }: SessionsProps) {
  const { refresh } = useSession();
  const one = useChange(onChange);
  const all = useChange(() => void refresh());
  return (
    <Section title="Devices that are signed in">
      {one.failure !== null && <Notice kind="error">{one.failure}</Notice>}
      <Table caption="Sessions" columns={COLUMNS}>
        {sessions.map(({ id, device, createdAt, lastSeenAt, current }) => (
          <tr key={id}>
            <Cell>
              {device}
              {current && <span class="tag">this browser</span>}
            </Cell>
            <Cell>
              <Time at={createdAt} />
            </Cell>
            <Cell>
              <Time at={lastSeenAt} />
            </Cell>
            <Cell>
              {!current && (
                <Button
                  label={`End the session on ${device}`}
                  isBusy={one.busy === id}
                  onClick={() => one.run(id, () => portalCall('DELETE', `/portal/sessions/${encodeURIComponent(id)}`))}
                >
                  End
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
      {all.failure !== null && <Notice kind="error">{all.failure}</Notice>}
      <div class="actions">
        <Button
          isBusy={all.busy === EVERYWHERE}
          onClick={() => all.run(EVERYWHERE, () => portalCall('POST', '/portal/sign-out-everywhere'))}
        >
          Sign out everywhere
        </Button>
      </div>
    </Section>
  );
}

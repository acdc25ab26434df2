import { portalCall } from '../../data/api/calls.ts';
import { answerPasskey } from '../../data/api/passkeys.ts';
import type { Passkey } from '../../data/people/answers.ts';
import { useChange } from '../../data/people/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { FoldForm } from '../../ui/fields-form.tsx';
import { Time } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useProof } from '../../data/session/proof.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import { Section } from '../../ui/section.tsx';

type PasskeysProps = Readonly<{ passkeys: readonly Passkey[]; isOffered: boolean; onChange: () => void }>;

export function Passkeys({ passkeys, isOffered, onChange }: PasskeysProps) {
  const withProof = useProof();
  const { busy, failure, run } = useChange(onChange);
  return (
    <Section title="Passkeys">
      <p class="quiet">
        A passkey signs you in by your device's PIN, your finger or your face. No other site can ask for it, so it
        cannot be tricked out of you.
      </p>
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      {passkeys.length === 0 ? (
        <p>You have no passkey.</p>
      ) : (
        <RowList label="Your passkeys">
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <Row
              key={id}
              name={name}
              facts={[
                <>
                  made <Time at={createdAt} />
                </>,
                lastUsedAt === null ? (
                  'never used'
                ) : (
                  <>
                    last used <Time at={lastUsedAt} />
                  </>
                ),
              ]}
              actions={
                <Button
                  label={`Remove the passkey ${name}`}
                  isBusy={busy === id}
                  onClick={() => run(id, () => portalCall('DELETE', `/portal/passkeys/${encodeURIComponent(id)}`))}
                >
                  Remove
                </Button>
              }
            />
          ))}
        </RowList>
      )}
      {isOffered ? (
        <FoldForm
          key={passkeys.length}
          title="Make a passkey"
          action="Make a passkey"
          fields={{ name: { label: 'Name of the passkey', hint: 'To find it in this list, such as: my phone.' } }}
          send={async ({ name }) => {
            await withProof(() => answerPasskey('add', name));
            onChange();
          }}
        />
      ) : (
        <p>Browsers allow passkeys only over https or at localhost, which this page is not.</p>
      )}
    </Section>
  );
}

import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import { useProof } from '../../data/session/proof.tsx';
import { useSession } from '../../data/session/session.tsx';
import { Field } from '../../ui/field.tsx';
import { Fold } from '../../ui/fold.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { useSubmission } from '../../ui/use-submission.ts';

/** Changes the display name, which the exchange allows once in 7 days. */
export function DisplayName({ name }: { readonly name: string }) {
  const withProof = useProof();
  const { refresh } = useSession();
  const idempotency = useIdempotencyKey();
  const [wanted, setWanted] = useState('');
  const [changedTo, setChangedTo] = useState<string | null>(null);
  const submission = useSubmission({
    fields: ['displayName'],
    byCode: { limit_reached: 'displayName' },
    send: async () => {
      const idempotencyKey = idempotency.keyOf(wanted);
      await withProof(() => portalCall('PUT', '/portal/display-name', { displayName: wanted }, { idempotencyKey }));
      idempotency.settle();
      setChangedTo(wanted);
      setWanted('');
      await refresh();
    },
  });
  return (
    <Section title="Display name">
      <p class="quiet">Everybody sees you as {name}. You can change it once in 7 days.</p>
      <Fold title="Change the display name">
        <Form label="Change the display name" submission={submission} action="Use this name" kind="plain">
          <Field
            label="New display name"
            autocomplete="nickname"
            required
            value={wanted}
            onValue={setWanted}
            error={submission.errors.displayName}
          />
        </Form>
      </Fold>
      {changedTo !== null && <Notice kind="success">Your display name is {changedTo} now.</Notice>}
    </Section>
  );
}

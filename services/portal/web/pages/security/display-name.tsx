import { useState } from 'preact/hooks';
import { useProvenCall } from '../../data/session/use-proven-call.ts';
import { useSession } from '../../data/session/session.tsx';
import { FoldForm } from '../../ui/fields-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';

export function DisplayName({ name }: { readonly name: string }) {
  const { refresh } = useSession();
  const provenCall = useProvenCall();
  const [changedTo, setChangedTo] = useState<string | null>(null);
  return (
    <Section title="Display name">
      <p class="quiet">Everybody sees you as {name}. You can change it once in 7 days.</p>
      <FoldForm
        title="Change the display name"

        action="Use this name"
        fields={{ displayName: { label: 'New display name', autocomplete: 'nickname' } }}
        byCode={{ limit_reached: 'displayName' }}
        send={async (values) => {
          await provenCall('PUT', '/portal/display-name', values);
          setChangedTo(values.displayName);
          await refresh();
        }}
      />
      {changedTo !== null && <Notice kind="success">Your display name is {changedTo} now.</Notice>}
    </Section>
  );
}

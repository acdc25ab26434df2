import type { CreatedApiKeyBody, IssuedApiKeyBody } from '@paper/contracts/accounts';
import { useProvenCall } from '../../data/session/use-proven-call.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';

/** Makes a master key of the main account: master, trade and view. */
export function NewMasterKey({ onMade }: { readonly onMade: (apiKey: IssuedApiKeyBody) => void }) {
  const provenCall = useProvenCall();
  const hint = 'Only you see it: the program or machine that will use it.';
  return (
    <FieldsForm
      label="A new master key"
      action="Make the master key"
      fields={{ name: { label: 'Name of the key', hint, autocomplete: 'off', start: 'automation' } }}
      byCode={{ limit_reached: 'name' }}
      send={async (values) =>
        onMade((await provenCall<CreatedApiKeyBody>('POST', '/portal/automation-key', values)).apiKey)
      }
    />
  );
}

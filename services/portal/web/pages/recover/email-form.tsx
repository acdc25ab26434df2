import { portalCall } from '../../data/api/calls.ts';
import { FieldsForm } from '../../ui/fields-form.tsx';

/** Asks for a link by e-mail. The answer is the same whether or not the address is known. */
export function EmailForm({ onSent }: { readonly onSent: (address: string) => void }) {
  const hint = 'The one that you confirmed.';
  return (
    <FieldsForm
      label="Recover by e-mail"
      action="Send the link"
      fields={{ email: { label: 'E-mail address', hint, type: 'email', autocomplete: 'email' } }}
      send={async ({ email }) => {
        await portalCall('POST', '/portal/recover', { email });
        onSent(email);
      }}
    />
  );
}

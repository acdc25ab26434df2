import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Field } from '../../ui/field.tsx';

/** Asks for a link by e-mail. The answer is the same whether or not the address is known. */
export function EmailForm({ onSent }: { readonly onSent: (address: string) => void }) {
  const [email, setEmail] = useState('');
  const submission = useSubmission({
    fields: ['email'],
    send: async () => {
      await portalCall('POST', '/portal/recover', { email });
      onSent(email);
    },
  });
  return (
    <Form label="Recover by e-mail" submission={submission} action="Send the link">
      <Field
        label="E-mail address"
        hint="The one that you confirmed."
        type="email"
        autocomplete="email"
        required
        value={email}
        onValue={setEmail}
        error={submission.errors.email}
      />
    </Form>
  );
}

import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import type { Recovered } from '../../data/people/answers.ts';
import { Field } from '../../ui/field.tsx';

/** Sets a new password by a recovery code, which is used up. */
export function CodeForm({ onRecovered }: { readonly onRecovered: (recovered: Recovered) => void }) {
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const submission = useSubmission({
    fields: ['name', 'code', 'password'],
    byCode: { wrong_credentials: 'code' },
    send: async () => onRecovered(await portalCall<Recovered>('POST', '/portal/recover', { name, code, password })),
  });
  const { errors } = submission;
  return (
    <Form label="Recover with a code" submission={submission} action="Set the new password">
      <Field
        label="Sign-in name or e-mail address"
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
        value={name}
        onValue={setName}
        error={errors.name}
      />
      <Field
        label="Recovery code"
        hint="One of the ten that you stored. It is used up by this."
        class="code"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        value={code}
        onValue={setCode}
        error={errors.code}
      />
      <PasswordField
        label="New password"
        purpose="new"
        hint="At least 10 characters."
        value={password}
        onValue={setPassword}
        error={errors.password}
      />
    </Form>
  );
}

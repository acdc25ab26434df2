import { useState } from 'preact/hooks';
import { Field } from './field.tsx';
import type { FieldProps } from './field.tsx';
import { Form } from './form.tsx';
import type { FormProps } from './form.tsx';
import { PasswordField } from './password-field.tsx';
import type { PasswordFieldProps } from './password-field.tsx';
import { useSubmission } from './use-submission.ts';
import type { SubmissionOptions } from './use-submission.ts';

/** A field of a form; with `purpose` that of a password. */
export interface FormField extends Omit<FieldProps, 'value' | 'onValue' | 'error'> {
  readonly purpose?: PasswordFieldProps['purpose'];
  /** What is in it at first; left out: nothing. */
  readonly start?: string;
}

export interface FieldsFormProps<N extends string>
  extends Omit<FormProps, 'submission' | 'children'>, Pick<SubmissionOptions<N>, 'byCode'> {
  /** By the names that the service gives them, in their order. */
  readonly fields: Readonly<Record<N, FormField>>;
  /** Finds faults that the service cannot see. */
  readonly check?: (values: Readonly<Record<N, string>>) => Partial<Record<N, string>>;
  /** Sends the form, which is then as at first. What it throws is shown. */
  readonly send: (values: Readonly<Record<N, string>>) => Promise<void>;
  /** Whether the values stay after the form was sent. */
  readonly isKept?: boolean;
}

/** A form of lines of text and passwords, each with its error beside it. */
export function FieldsForm<N extends string>(props: FieldsFormProps<N>) {
  const { fields, byCode = {}, check, send, isKept = false, ...form } = props;
  const named = Object.entries<FormField>(fields) as [N, FormField][];
  const first = Object.fromEntries(named.map(([name, { start = '' }]) => [name, start])) as Record<N, string>;
  const [values, setValues] = useState(first);
  const submission = useSubmission<N>({
    fields: named.map(([name]) => name),
    byCode,
    check: () => check?.(values) ?? {},
    send: async () => {
      await send(values);
      if (!isKept) setValues(first);
    },
  });
  return (
    <Form {...form} submission={submission}>
      {named.map(([name, { purpose, start: _start, ...field }]) => {
        const control = {
          ...field,
          value: values[name],
          onValue: (value: string) => setValues((before) => ({ ...before, [name]: value })),
          error: submission.errors[name],
        };
        return purpose === undefined ? (
          <Field key={name} required {...control} />
        ) : (
          <PasswordField key={name} purpose={purpose} {...control} />
        );
      })}
    </Form>
  );
}

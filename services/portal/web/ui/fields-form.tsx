import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Choice, Field, Labeled } from './field.tsx';
import type { ChoiceProps, FieldProps } from './field.tsx';
import { Form } from './form.tsx';
import type { FormProps } from './form.tsx';
import { PasswordField } from './password-field.tsx';
import type { PasswordFieldProps } from './password-field.tsx';
import { useSubmission } from './use-submission.ts';
import type { SubmissionOptions } from './use-submission.ts';

/** With `purpose` a password. */
export interface FormField extends Omit<FieldProps, 'value' | 'onValue' | 'error'> {
  readonly purpose?: PasswordFieldProps['purpose'];
  /** Default: empty, or the first choice. */
  readonly start?: string;
  /** An empty field is then not sent. */
  readonly isOptional?: boolean;
  /** Several lines, or a choice. Default: one line. */
  readonly as?: 'lines' | ChoiceProps<string>['options'];
  /** What comes below the field, for its value. */
  readonly below?: (value: string) => ComponentChildren;
}

export interface FieldsFormProps<N extends string>
  extends Omit<FormProps, 'submission' | 'children' | 'action'>, Pick<SubmissionOptions<N>, 'byCode'> {
  /** The button's text, or a function of the values. */
  readonly action: string | ((values: Readonly<Record<N, string>>) => string);
  /** In display order, by the service's names. */
  readonly fields: Readonly<Record<N, FormField>>;
  /** Faults that the service cannot see. */
  readonly check?: (values: Readonly<Record<N, string>>) => Partial<Record<N, string>>;
  /** The form is reset after it, and shows its error. */
  readonly send: (values: Readonly<Record<N, string>>) => Promise<void>;
  /** Whether the values stay after it. */
  readonly isKept?: boolean;
}

/** A form of texts, choices and passwords, each with its error beside it. */
export function FieldsForm<N extends string>(props: FieldsFormProps<N>) {
  const { action, fields, byCode = {}, check, send, isKept = false, ...form } = props;
  const named = Object.entries<FormField>(fields) as [N, FormField][];
  const first = Object.fromEntries(named.map(([name, field]) => [name, startOf(field)])) as Record<N, string>;
  const [values, setValues] = useState(first);
  const isSent = ([name, { isOptional }]: [N, FormField]): boolean => isOptional !== true || values[name] !== '';
  const submission = useSubmission<N>({
    fields: named.map(([name]) => name),
    byCode,
    check: () => check?.(values) ?? {},
    send: async () => {
      await send(Object.fromEntries(named.filter(isSent).map(([name]) => [name, values[name]])) as typeof values);
      if (!isKept) setValues(first);
    },
  });
  return (
    <Form {...form} action={typeof action === 'string' ? action : action(values)} submission={submission}>
      {named.map(([name, field]) => (
        <Fragment key={name}>
          <Input
            field={field}
            value={values[name]}
            onValue={(value) => setValues((before) => ({ ...before, [name]: value }))}
            error={submission.errors[name]}
          />
          {field.below?.(values[name])}
        </Fragment>
      ))}
    </Form>
  );
}

function startOf({ as, start }: FormField): string {
  return start ?? (typeof as === 'object' ? (as[0]?.value ?? '') : '');
}

interface InputProps extends Pick<FieldProps, 'value' | 'onValue' | 'error'> {
  readonly field: FormField;
}

function Input({ field, ...control }: InputProps) {
  const { as, below: _below, isOptional = false, purpose, start: _start, ...given } = field;
  const hint = !isOptional ? given.hint : given.hint === undefined ? 'Optional' : <>Optional: {given.hint}</>;
  const shared = { ...given, hint, ...control };
  if (purpose !== undefined) return <PasswordField purpose={purpose} {...shared} />;
  if (typeof as === 'object') return <Choice options={as} {...shared} />;
  if (as === undefined) return <Field required={!isOptional} {...shared} />;
  return (
    <Labeled {...shared}>
      {(names) => (
        <textarea
          {...names}
          rows={4}
          value={control.value}
          onInput={({ currentTarget }) => control.onValue(currentTarget.value)}
        />
      )}
    </Labeled>
  );
}

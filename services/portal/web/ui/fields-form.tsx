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

/** A field of a form. With `purpose` it is a field for a password. */
export interface FormField extends Omit<FieldProps, 'value' | 'onValue' | 'error'> {
  readonly purpose?: PasswordFieldProps['purpose'];
  /** The initial value. Default: an empty text, or the first choice. */
  readonly start?: string;
  /** Whether an empty field is not sent. */
  readonly isOptional?: boolean;
  /** The kind of the control: several lines of text, or a choice. Default: one line. */
  readonly as?: 'lines' | ChoiceProps<string>['options'];
  /** Returns the content below the field, for the field's value. */
  readonly below?: (value: string) => ComponentChildren;
}

export interface FieldsFormProps<N extends string>
  extends Omit<FormProps, 'submission' | 'children' | 'action'>, Pick<SubmissionOptions<N>, 'byCode'> {
  /** The text of the button that sends the form, or a function of the values that returns it. */
  readonly action: string | ((values: Readonly<Record<N, string>>) => string);
  /** The fields in display order, by the service's names for them. */
  readonly fields: Readonly<Record<N, FormField>>;
  /** Finds faults that the service cannot see. */
  readonly check?: (values: Readonly<Record<N, string>>) => Partial<Record<N, string>>;
  /** Sends the form, which is then reset. The form shows its error. */
  readonly send: (values: Readonly<Record<N, string>>) => Promise<void>;
  /** Whether the values stay after the form was sent. Default: no. */
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

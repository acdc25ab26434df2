import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Choice, Field, Labeled } from './field.tsx';
import type { ChoiceProps, FieldProps } from './field.tsx';
import { Form, useSubmission } from './form.tsx';
import type { FormProps, SubmissionOptions } from './form.tsx';
import { PasswordField } from './password-field.tsx';
import type { PasswordFieldProps } from './password-field.tsx';

/** A field of a form: a text, or with `purpose` a password. */
export interface FormField extends Omit<FieldProps, 'value' | 'onValue' | 'error'> {
  readonly purpose?: PasswordFieldProps['purpose'];
  /** The first value. Default: empty, or the first choice. */
  readonly start?: string;
  /** Whether the field may stay empty; it is then not sent. */
  readonly isOptional?: boolean;
  /** `lines`: a text of several lines; options: a choice. */
  readonly as?: 'lines' | ChoiceProps<string>['options'];
  readonly below?: (value: string) => ComponentChildren;
}

type Values<N extends string> = Readonly<Record<N, string>>;

export interface FieldsFormProps<N extends string>
  extends Omit<FormProps, 'submission' | 'children' | 'action'>, Pick<SubmissionOptions<N>, 'byCode'> {
  /** The button's text, or a function of the values. */
  readonly action: string | ((values: Values<N>) => string);
  readonly fields: Readonly<Record<N, FormField>>;
  /** Renders something between the fields and the button. */
  readonly children?: (values: Values<N>) => ComponentChildren;
  readonly check?: (values: Values<N>) => Partial<Record<N, string>>;
  /** Sends the values. Its error is shown in the form. */
  readonly send: (values: Values<N>) => Promise<void>;
  /** Whether the typed values stay after sending. Default: the form is emptied. */
  readonly isKept?: boolean;
}

/** A form of texts, choices and passwords, each with its error beside it. */
export function FieldsForm<N extends string>(props: FieldsFormProps<N>) {
  const { action, fields, byCode = {}, children, check, send, isKept = false, ...form } = props;
  const [typed, setTyped] = useState<Partial<Record<N, string>>>({});
  const named = Object.entries<FormField>(fields) as [N, FormField][];
  const values = Object.fromEntries(named.map(([name, field]) => [name, typed[name] ?? startOf(field)])) as Values<N>;
  const isSent = ([name, { isOptional }]: [N, FormField]): boolean => isOptional !== true || values[name] !== '';
  const submission = useSubmission<N>({
    fields: named.map(([name]) => name),
    byCode,
    check: () => check?.(values) ?? {},
    send: async () => {
      await send(Object.fromEntries(named.filter(isSent).map(([name]) => [name, values[name]])) as Values<N>);
      if (!isKept) setTyped({});
    },
  });
  return (
    <Form {...form} action={typeof action === 'string' ? action : action(values)} submission={submission}>
      {named.map(([name, field]) => (
        <Fragment key={name}>
          <Input
            field={field}
            value={values[name]}
            onValue={(value) => setTyped((before) => ({ ...before, [name]: value }))}
            error={submission.errors[name]}
          />
          {field.below?.(values[name])}
        </Fragment>
      ))}
      {children?.(values)}
    </Form>
  );
}

/** A form that unfolds under its title, and focuses its first field. A page has at most one unfolded form. */
export function FoldForm<N extends string>({ title, ...form }: FieldsFormProps<N> & { readonly title: string }) {
  return (
    <details
      class="fold"
      name="form"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.querySelector('input')?.focus();
      }}
    >
      <summary>{title}</summary>
      <FieldsForm label={title} kind="plain" {...form} />
    </details>
  );
}

const startOf = ({ as, start }: FormField): string => start ?? (typeof as === 'object' ? (as[0]?.value ?? '') : '');

type InputProps = Pick<FieldProps, 'value' | 'onValue' | 'error'> & { readonly field: FormField };

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

import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useUniqueId } from './use-unique-id.ts';

export interface LabeledProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null | undefined;
  /** Renders the control, with the attributes that connect it with its label, hint and error. */
  readonly children: (
    names: Pick<InputHTMLAttributes, 'aria-describedby' | 'aria-invalid'> & { readonly id: string },
  ) => ComponentChildren;
}

export interface ControlProps<V extends string> extends Omit<LabeledProps, 'children'> {
  readonly value: V;
  readonly onValue: (value: V) => void;
}

export function Labeled({ label, hint, error, children }: LabeledProps) {
  const id = useUniqueId();
  const hasError = error !== undefined && error !== null && error !== '';
  const described = [hint === undefined ? null : `${id}-hint`, hasError ? `${id}-error` : null].filter(
    (each) => each !== null,
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': hasError,
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {hasError && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type InputAttributes = Omit<InputHTMLAttributes, 'id' | 'value' | 'onInput' | 'label' | 'children'>;

export interface FieldProps extends InputAttributes, ControlProps<string> {}

export function Field({ label, hint, error, value, onValue, ...input }: FieldProps) {
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(names) => (
        <input
          type="text"
          {...input}
          {...names}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labeled>
  );
}

export interface ChoiceProps<V extends string> extends ControlProps<V> {
  readonly options: readonly { readonly value: V; readonly text: string }[];
}

export function Choice<V extends string>({ label, hint, error, value, options, onValue }: ChoiceProps<V>) {
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(names) => (
        <select
          {...names}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = options[currentTarget.selectedIndex];
            if (chosen !== undefined) onValue(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
}

export const SIGN_IN_NAME = {
  label: 'Sign-in name or e-mail address',
  autocomplete: 'username',
  autocapitalize: 'none',
  spellcheck: false,
} as const;

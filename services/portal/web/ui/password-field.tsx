import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Labeled } from './field.tsx';

export interface PasswordFieldProps {
  readonly label: string;
  /** `new`: password managers offer to make one; `current`: they fill in the stored one. */
  readonly purpose: 'new' | 'current';
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: ComponentChildren;
  readonly error?: string | null | undefined;
}

/** A password, which the person can make visible. */
export function PasswordField({ label, purpose, value, onValue, hint, error }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Labeled label={label} hint={hint} error={error}>
      {(names) => (
        <span class="with-button">
          <input
            {...names}
            type={isShown ? 'text' : 'password'}
            autocomplete={`${purpose}-password`}
            autocapitalize="none"
            spellcheck={false}
            required
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <Button
            kind="quiet"
            label={`${isShown ? 'Hide' : 'Show'} the ${label.toLowerCase()}`}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
        </span>
      )}
    </Labeled>
  );
}

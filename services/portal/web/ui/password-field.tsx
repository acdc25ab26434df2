import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Labeled } from './field.tsx';
import type { ControlProps } from './field.tsx';

export interface PasswordFieldProps extends ControlProps<string> {
  /** `new`: password managers offer to make one; `current`: they fill in the stored one. */
  readonly purpose: 'new' | 'current';
}

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

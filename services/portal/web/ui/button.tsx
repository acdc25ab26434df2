import type { ComponentChildren } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  /** `main`: the page's purpose; `quiet`: without a frame; `danger`: cannot be undone. Default: a plain frame. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  readonly isBusy?: boolean;
  readonly onClick?: (event: MouseEvent) => void;
  /** The accessible name, if the text alone does not describe the action. */
  readonly label?: string;
}

export function Button({ children, kind = 'plain', type = 'button', disabled, isBusy, onClick, label }: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled === true || isBusy === true}
      aria-busy={isBusy === true}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

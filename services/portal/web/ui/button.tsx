import type { ComponentChildren } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  /** `main`: what the page is for; `quiet`: without a frame; `danger`: cannot be undone. Default: a plain frame. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** The action runs: the button says so and takes no further click. */
  readonly isBusy?: boolean;
  readonly onClick?: (event: MouseEvent) => void;
  /** The accessible name where the text alone does not say what it does. */
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

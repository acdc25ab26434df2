import type { ComponentChildren } from 'preact';

export interface FoldProps {
  /** It names the action inside. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A form that opens under its title, with the focus in its first field. One fold of a page is open at a time. */
export function Fold({ title, children }: FoldProps) {
  return (
    <details
      class="fold"
      name="form"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.querySelector('input')?.focus();
      }}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}

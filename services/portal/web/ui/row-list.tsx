import type { ComponentChildren } from 'preact';

export interface RowListProps {
  /** The name of the list for screen readers. */
  readonly label: string;
  /** The rows (`Row`). */
  readonly children: ComponentChildren;
}

/** A list of things with their actions. On a narrow screen each row stays completely visible. */
export function RowList({ label, children }: RowListProps) {
  return (
    <ul class="row-list" aria-label={label}>
      {children}
    </ul>
  );
}

export interface RowProps {
  readonly name: string;
  /** Short marks after the name. */
  readonly tags?: readonly string[];
  /** Short facts in a line. */
  readonly facts: readonly ComponentChildren[];
  /** Further lines. */
  readonly children?: ComponentChildren;
  readonly isEnded?: boolean;
  /** The buttons of the row. */
  readonly actions?: ComponentChildren;
}

export function Row({ name, tags = [], facts, children, isEnded, actions }: RowProps) {
  return (
    <li class={isEnded === true ? 'ended' : undefined}>
      <div class="row-facts">
        <p>
          <strong>{name}</strong>
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </p>
        <p class="quiet">
          {facts.map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
        </p>
        {children}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </li>
  );
}

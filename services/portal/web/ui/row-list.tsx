import type { ComponentChildren } from 'preact';

/** Things with their actions. On a narrow screen each row stays completely visible. */
export function RowList({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <ul class="row-list" aria-label={label}>
      {children}
    </ul>
  );
}

export interface RowProps {
  readonly name: string;
  readonly tags?: readonly string[];
  readonly facts: readonly ComponentChildren[];
  readonly children?: ComponentChildren;
  readonly isEnded?: boolean;
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

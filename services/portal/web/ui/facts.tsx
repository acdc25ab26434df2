import type { ComponentChildren } from 'preact';

type FactsProps = Readonly<{ as: 'facts' | 'tiles'; of: Readonly<Record<string, ComponentChildren>> }>;

export function Facts({ as, of }: FactsProps) {
  return (
    <dl class={as}>
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          {/* Facts may be long, such as ids: they wrap. */}
          <dd class={as === 'facts' ? undefined : 'number'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ComponentChildren } from 'preact';
import { useUniqueId } from './use-unique-id.ts';

type SectionProps = Readonly<{ title: string; children: ComponentChildren; class?: string }>;

export function Section({ title, children, class: name = 'section' }: SectionProps) {
  const id = useUniqueId();
  return (
    <section class={name} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

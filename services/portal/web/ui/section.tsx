import type { ComponentChildren } from 'preact';
import { useUniqueId } from './use-unique-id.ts';

/** A part of the page with its heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const id = useUniqueId();
  return (
    <section class="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The heading of a page's next step. It takes the focus, so that keyboard and screen readers continue here. */
export function StepHeading({ children }: { readonly children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 class="step" tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

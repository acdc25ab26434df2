import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * The heading of a page whose content was replaced by the next step. It takes the focus, which the button before had, so
 * that the keyboard and screen readers go on from here.
 */
export function StepHeading({ children }: { readonly children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 class="step" tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

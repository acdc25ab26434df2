import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { renderedRows } from './row-window.ts';
import type { RowRange } from './row-window.ts';

export interface VirtualRowsProps {
  readonly count: number;
  /** With a key; its element has the class `virtual-row`, whose height is `--row-height`. */
  readonly row: (index: number) => ComponentChildren;
  readonly onRange?: (range: RowRange) => void;
}

/** Rendered before the size of the window is known: more rows than most screens show. */
const FIRST_ROWS = 24;

/**
 * A long list that scrolls with the page. Its rows have one height; only those in the window and some around it are
 * rendered.
 */
export function VirtualRows({ count, row, onRange }: VirtualRowsProps) {
  const body = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<RowRange>({ from: 0, to: FIRST_ROWS });
  const [rowPx, setRowPx] = useState<number | null>(null);

  useLayoutEffect(() => {
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      if (body.current === null) return;
      const height = Number.parseFloat(getComputedStyle(body.current).getPropertyValue('--row-height'));
      const scrolledPx = -body.current.getBoundingClientRect().top;
      const next = renderedRows({ count, rowPx: height, scrolledPx, windowPx: window.innerHeight });
      setRowPx(height);
      setRange((before) => (before.from === next.from && before.to === next.to ? before : next));
    };
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    window.addEventListener('scroll', soon, { passive: true });
    window.addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', soon);
      window.removeEventListener('resize', soon);
    };
  }, [count]);

  const from = Math.min(range.from, count);
  const to = Math.min(range.to, count);
  const newestOnRange = useRef(onRange);
  newestOnRange.current = onRange;
  useEffect(() => newestOnRange.current?.({ from, to }), [from, to]);

  return (
    <div
      ref={body}
      role="rowgroup"
      class="virtual-rows"
      // The script sets this style, which the content security policy allows; the first paint has none.
      style={rowPx === null ? undefined : { height: `${count * rowPx}px`, paddingTop: `${from * rowPx}px` }}
    >
      {Array.from({ length: to - from }, (_, offset) => row(from + offset))}
    </div>
  );
}

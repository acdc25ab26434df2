import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { renderedRows } from './row-window.ts';
import type { RowRange } from './row-window.ts';

export interface VirtualRowsProps<T> {
  readonly rows: readonly T[];
  /** Renders a row, with a key and the class `virtual-row`, whose height is `--row-height`. */
  readonly row: (row: T, index: number) => ComponentChildren;
  readonly onRange?: (range: RowRange) => void;
}

/** The rows that are rendered before the window's size is known: more than most screens show. */
const FIRST_ROWS = 24;

/** A long list that scrolls with the page. Only rows in the window and around it are rendered; all have one height. */
export function VirtualRows<T>({ rows, row, onRange }: VirtualRowsProps<T>) {
  const { length: count } = rows;
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
      {rows.slice(from, to).map((each, offset) => row(each, from + offset))}
    </div>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { whenIdle } from '../base/when-idle.ts';
import type { ChartData } from './chart-data.ts';
import type { Drawing } from './drawing.ts';

export interface ChartProps {
  /** A sentence that describes the chart, with its figures. */
  readonly label: string;
  readonly data: ChartData;
  readonly pointText: (index: number) => string;
  /** The text above the chart while the pointer is elsewhere. */
  readonly restText: string;
  /** A vertical line, in seconds since 1970 UTC. */
  readonly markerS?: number | null;
  readonly children: ComponentChildren;
}

/** A chart with its figures as a table below. It keeps its height while its drawing code loads. */
export function Chart({ label, data, pointText, restText, markerS = null, children }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  const pointed = useRef<number | null>(null);
  const showText = (): void => {
    const { current: index } = pointed;
    if (readout.current !== null) readout.current.textContent = index === null ? restText : pointText(index);
  };
  // Not by rendering, since the text changes with each movement of the pointer.
  useEffect(showText);
  useDrawing(frame, { data, markerS }, (index) => {
    pointed.current = index;
    showText();
  });
  return (
    <div class="chart">
      <p class="chart-readout" ref={readout} aria-hidden="true" />
      <div class="chart-frame" role="img" aria-label={label} ref={frame} />
      {children}
    </div>
  );
}

/** Draws into the frame from the first idle moment on. */
function useDrawing(
  frame: { readonly current: HTMLElement | null },
  shown: { readonly data: ChartData; readonly markerS: number | null },
  onPoint: (index: number | null) => void,
): void {
  const drawing = useRef<Drawing | null>(null);
  const newest = useRef({ shown, onPoint });
  newest.current = { shown, onPoint };
  useEffect(() => {
    let isOver = false;
    const begin = async (): Promise<void> => {
      const { Drawing: Made } = await import('./drawing.ts');
      if (isOver || frame.current === null) return;
      drawing.current = new Made(frame.current, (index) => newest.current.onPoint(index));
      const { data, markerS } = newest.current.shown;
      drawing.current.show(data, markerS);
    };
    // If the drawing code cannot be loaded, the table still shows the figures.
    const cancel = whenIdle(() => void begin().catch(() => undefined));
    return () => {
      isOver = true;
      cancel();
      drawing.current?.end();
      drawing.current = null;
    };
  }, [frame]);
  useEffect(() => drawing.current?.show(shown.data, shown.markerS), [shown.data, shown.markerS]);
}

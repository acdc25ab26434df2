import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { columnsOf, optionsOf } from './chart-options.ts';
import type { ChartData } from './chart-options.ts';

export interface ChartProps {
  /** What the chart shows, in a sentence with its figures: the name of the picture. */
  readonly label: string;
  readonly data: ChartData;
  /** Describes the point under the cursor. */
  readonly pointText: (index: number) => string;
  /** Shown while the cursor is elsewhere. */
  readonly restText: string;
  /** Where a line stands, in seconds since 1970 UTC; null: there is none. */
  readonly markerS?: number | null;
  /** The same figures as a table. */
  readonly children: ComponentChildren;
}

const HEIGHT = 260;

/** A chart, with its figures as a table below it. It keeps its height while the library loads. */
export function Chart({ label, data, pointText, restText, markerS = null, children }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  const pointed = useRef<number | null>(null);
  const showText = (): void => {
    const { current: index } = pointed;
    if (readout.current !== null) readout.current.textContent = index === null ? restText : pointText(index);
  };
  // Written by hand, since it changes with each movement of the pointer.
  useEffect(showText);
  const drawing = useDrawing(frame, (index) => {
    pointed.current = index;
    showText();
  });
  useEffect(() => drawing.current?.show(data, markerS), [drawing, data, markerS]);
  return (
    <div class="chart">
      <p class="chart-readout" ref={readout} aria-hidden="true" />
      <div class="chart-frame" role="img" aria-label={label} ref={frame} />
      {children}
    </div>
  );
}

/** Draws into the frame from the first effect on, until the component goes. */
function useDrawing(
  frame: { readonly current: HTMLElement | null },
  onPoint: (index: number | null) => void,
): { readonly current: Drawing | null } {
  const drawing = useRef<Drawing | null>(null);
  const point = useRef(onPoint);
  point.current = onPoint;
  useEffect(() => {
    if (frame.current === null) return undefined;
    const made = new Drawing(frame.current, (index) => point.current(index));
    drawing.current = made;
    return () => {
      drawing.current = null;
      made.end();
    };
  }, [frame]);
  return drawing;
}

/** A uPlot in an element: made once the library and data are there, made again when the page's colors change. */
class Drawing {
  readonly #element: HTMLElement;
  readonly #onPoint: (index: number | null) => void;
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #resizing = new ResizeObserver(() => this.#resize());
  readonly #recolor = () => this.#remake();
  #library: typeof uPlot | null = null;
  #plot: uPlot | null = null;
  #data: ChartData | null = null;
  #markerS: number | null = null;
  #isOver = false;

  constructor(element: HTMLElement, onPoint: (index: number | null) => void) {
    this.#element = element;
    this.#onPoint = onPoint;
    this.#resizing.observe(element);
    this.#dark.addEventListener('change', this.#recolor);
    import('uplot').then(
      ({ default: library }) => {
        this.#library = library;
        this.#remake();
      },
      // The table has the same figures.
      () => undefined,
    );
  }

  show(data: ChartData, markerS: number | null): void {
    const hasNewForm = this.#data?.lines.length !== data.lines.length;
    this.#data = data;
    this.#markerS = markerS;
    if (this.#plot === null || hasNewForm) this.#remake();
    else this.#plot.setData(columnsOf(data));
  }

  end(): void {
    this.#isOver = true;
    this.#resizing.disconnect();
    this.#dark.removeEventListener('change', this.#recolor);
    this.#plot?.destroy();
    this.#plot = null;
  }

  #remake(): void {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#isOver || this.#library === null || this.#data === null || this.#data.times.length === 0) return;
    const size = { width: Math.max(1, this.#element.clientWidth), height: HEIGHT };
    const options = optionsOf(this.#library, this.#data, size, this.#colorOf);
    const hooks: uPlot.Hooks.Arrays = {
      draw: [(plot) => this.#drawMarker(plot)],
      setCursor: [({ cursor: { idx } }) => this.#onPoint(idx ?? null)],
    };
    this.#plot = new this.#library({ ...options, hooks }, columnsOf(this.#data), this.#element);
  }

  readonly #colorOf = (property: string): string => getComputedStyle(this.#element).getPropertyValue(property).trim();

  #resize(): void {
    const { clientWidth } = this.#element;
    if (this.#plot !== null && clientWidth > 0 && clientWidth !== this.#plot.width) {
      this.#plot.setSize({ width: clientWidth, height: HEIGHT });
    }
  }

  #drawMarker(plot: uPlot): void {
    const { bbox, ctx } = plot;
    const { min, max } = plot.scales['x'] ?? {};
    if (this.#markerS === null || min === undefined || max === undefined) return;
    // A moment before the chart's range stands at its edge.
    const x = plot.valToPos(Math.min(Math.max(this.#markerS, min), max), 'x', true);
    ctx.save();
    ctx.strokeStyle = this.#colorOf('--ink');
    ctx.lineWidth = window.devicePixelRatio;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

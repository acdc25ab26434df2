import uPlot from 'uplot';
import { columnsOf, optionsOf } from './chart-options.ts';
import type { ChartData } from './chart-options.ts';

const HEIGHT = 260;

/** A uPlot in an element: made once there is data, made again when the page's colors change. */
export class Drawing {
  readonly #element: HTMLElement;
  readonly #onPoint: (index: number | null) => void;
  /** The person chose other colors. */
  readonly #themes = new MutationObserver(() => this.#remake());
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #resizing = new ResizeObserver(() => this.#resize());
  readonly #recolor = () => this.#remake();
  #plot: uPlot | null = null;
  #data: ChartData | null = null;
  #markerS: number | null = null;
  #isOver = false;

  constructor(element: HTMLElement, onPoint: (index: number | null) => void) {
    this.#element = element;
    this.#onPoint = onPoint;
    this.#resizing.observe(element);
    this.#dark.addEventListener('change', this.#recolor);
    this.#themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  show(data: ChartData, markerS: number | null): void {
    const hasNewForm = this.#data?.lines.length !== data.lines.length || this.#data.spanS !== data.spanS;
    this.#data = data;
    this.#markerS = markerS;
    if (this.#plot === null || hasNewForm) this.#remake();
    else this.#plot.setData(columnsOf(data));
  }

  end(): void {
    this.#isOver = true;
    this.#resizing.disconnect();
    this.#dark.removeEventListener('change', this.#recolor);
    this.#themes.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  #remake(): void {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#isOver || this.#data === null || this.#data.times.length === 0) return;
    const size = { width: Math.max(1, this.#element.clientWidth), height: HEIGHT };
    const options = optionsOf(this.#data, size, this.#colorOf);
    const hooks: uPlot.Hooks.Arrays = {
      draw: [(plot) => this.#drawMarker(plot)],
      setCursor: [({ cursor: { idx } }) => this.#onPoint(idx ?? null)],
    };
    this.#plot = new uPlot({ ...options, hooks }, columnsOf(this.#data), this.#element);
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
    // A moment before the chart's range is drawn at its edge.
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

import uPlot from 'uplot';
import { columnsOf, optionsOf } from './chart-options.ts';
import type { ChartData, ChartMark } from './chart-options.ts';

const HEIGHT = 260;
/** The size of a mark, in CSS pixels. */
const MARK_PX = 6;

/** A uPlot in an element: made once there is data, made again when the page's colors change. */
export class Drawing {
  readonly #element: HTMLElement;
  readonly #onPoint: (index: number | null) => void;
  /** The person chose other colors. */
  readonly #themes = new MutationObserver(() => this.#remake());
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #resizing = new ResizeObserver(() => this.#resize());
  readonly #recolor = () => this.#remake();
  /** Shows the value at the pointer. */
  readonly #tag = document.createElement('div');
  #plot: uPlot | null = null;
  #data: ChartData | null = null;
  #markerS: number | null = null;
  #isOver = false;

  constructor(element: HTMLElement, onPoint: (index: number | null) => void) {
    this.#element = element;
    this.#onPoint = onPoint;
    this.#tag.className = 'chart-tag';
    this.#resizing.observe(element);
    this.#dark.addEventListener('change', this.#recolor);
    this.#themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  show(data: ChartData, markerS: number | null): void {
    const before = this.#data;
    const hasNewForm =
      before?.lines.length !== data.lines.length ||
      before.spanS !== data.spanS ||
      before.candles?.periodS !== data.candles?.periodS;
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
    const data = this.#data;
    if (this.#isOver || data === null || data.times.length === 0) return;
    const size = { width: Math.max(1, this.#element.clientWidth), height: HEIGHT };
    const options = optionsOf(() => this.#data ?? data, size, this.#colorOf);
    const hooks: uPlot.Hooks.Arrays = {
      draw: [(plot) => this.#draw(plot)],
      setCursor: [(plot) => this.#point(plot)],
    };
    this.#plot = new uPlot({ ...options, hooks }, columnsOf(data), this.#element);
    this.#plot.over.append(this.#tag);
  }

  readonly #colorOf = (property: string): string => getComputedStyle(this.#element).getPropertyValue(property).trim();

  #resize(): void {
    const { clientWidth } = this.#element;
    if (this.#plot !== null && clientWidth > 0 && clientWidth !== this.#plot.width) {
      this.#plot.setSize({ width: clientWidth, height: HEIGHT });
    }
  }

  /** Puts the tag beside the point under the pointer, on the side that has room. */
  #point(plot: uPlot): void {
    const index = plot.cursor.idx ?? null;
    this.#onPoint(index);
    const { lines, tagText, times, valueText } = this.#data ?? { lines: [], times: [] };
    const value = index === null ? undefined : lines.at(-1)?.values[index];
    const time = times[index ?? -1];
    this.#tag.hidden = index === null || value === undefined || time === undefined;
    if (index === null || value === undefined || time === undefined) return;
    this.#tag.textContent = tagText?.(index) ?? valueText?.(value) ?? '';
    const left = plot.valToPos(time, 'x');
    const isLeft = left > plot.over.clientWidth / 2;
    this.#tag.style.transform = `translate(${left}px, ${plot.valToPos(value, 'y')}px) translate(${isLeft ? 'calc(-100% - 8px)' : '8px'}, -50%)`;
  }

  #draw(plot: uPlot): void {
    const { bbox, ctx } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.#drawCandles(plot);
    this.#drawMarker(plot);
    ctx.restore();
    for (const mark of this.#data?.marks ?? []) this.#drawMark(plot, mark);
  }

  /** A candle that rose is hollow, one that fell is filled: so they differ without color too. */
  #drawCandles(plot: uPlot): void {
    const { candles, lines, times } = this.#data ?? {};
    if (candles === undefined || lines === undefined || times === undefined) return;
    const { ctx } = plot;
    const [yes, no, card] = ['--yes', '--no', '--card'].map(this.#colorOf);
    ctx.lineWidth = window.devicePixelRatio;
    for (const [index, start] of times.entries()) {
      const [open = 0, high = 0, low = 0, close = 0] = [candles.open, candles.high, candles.low, candles.close].map(
        (line) => plot.valToPos(lines[line]?.values[index] ?? 0, 'y', true),
      );
      const [from, to] = [start, start + candles.periodS].map((at) => plot.valToPos(at, 'x', true));
      const width = Math.max(2, Math.min(0.7 * ((to ?? 0) - (from ?? 0)), 12 * window.devicePixelRatio));
      const middle = ((from ?? 0) + (to ?? 0)) / 2;
      // The canvas counts from the top.
      const hasFallen = close > open;
      ctx.strokeStyle = (hasFallen ? no : yes) ?? '';
      ctx.fillStyle = (hasFallen ? no : card) ?? '';
      ctx.beginPath();
      ctx.moveTo(middle, high);
      ctx.lineTo(middle, low);
      ctx.stroke();
      const body = [middle - width / 2, Math.min(open, close), width, Math.max(1, Math.abs(close - open))] as const;
      ctx.fillRect(...body);
      ctx.strokeRect(...body);
    }
  }

  /** A triangle upward below a buy's price, one downward above a sell's, a diamond at the top for news. */
  #drawMark(plot: uPlot, { atS, kind, value }: ChartMark): void {
    const { bbox, ctx } = plot;
    const size = MARK_PX * window.devicePixelRatio;
    const x = plot.valToPos(atS, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    const isNews = kind === 'news';
    const y = isNews ? bbox.top + size : plot.valToPos(value, 'y', true);
    const down = kind === 'sell' ? -1 : 1;
    ctx.save();
    ctx.fillStyle = this.#colorOf({ news: '--wait', buy: '--yes', sell: '--no' }[kind]);
    ctx.strokeStyle = this.#colorOf('--card');
    ctx.lineWidth = window.devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, isNews ? y - size : y);
    ctx.lineTo(x + size, y + (isNews ? 0 : 1.6 * size * down));
    if (isNews) ctx.lineTo(x, y + size);
    ctx.lineTo(x - size, y + (isNews ? 0 : 1.6 * size * down));
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
    ctx.restore();
  }

  #drawMarker(plot: uPlot): void {
    const { bbox, ctx } = plot;
    const { min, max } = plot.scales['x'] ?? {};
    if (this.#markerS === null || min === undefined || max === undefined) return;
    // A moment before the chart's range is drawn at its edge.
    const x = plot.valToPos(Math.min(Math.max(this.#markerS, min), max), 'x', true);
    ctx.strokeStyle = this.#colorOf('--ink');
    ctx.lineWidth = window.devicePixelRatio;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
}

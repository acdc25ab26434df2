import type { ChartData, ChartLine, ChartMark } from './chart-data.ts';
import { rangeOf, spanOf, timeLabels, valueLabels } from './chart-scale.ts';

const HEIGHT = 260;
/** The space around the plot, in pixels; the labels determine it at the left. */
const AROUND = { top: 8, right: 20, bottom: 28 } as const;
const FONT = '12px system-ui, sans-serif';
/** The height of the bars, as a part of the plot's, and their largest width. */
const BARS = { part: 0.22, widthPx: 12 } as const;
/** Up to this number, the points of a line are drawn as dots too, since a single point has no line. */
const POINTS_SHOWN = 30;
const MARK_PX = 6;

/** Lengths are in CSS pixels. */
interface Plot {
  readonly ctx: CanvasRenderingContext2D;
  readonly data: ChartData;
  readonly left: number;
  readonly width: number;
  readonly bottom: number;
  readonly x: (timeS: number) => number;
  readonly y: (value: number) => number;
}

/** A chart on a canvas, drawn again when its data, its size, the pointer or the colors change. */
export class Drawing {
  readonly #canvas = document.createElement('canvas');
  readonly #tag = document.createElement('div');
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #resizing = new ResizeObserver(() => this.#draw());
  readonly #redraw = () => this.#draw();
  readonly #follow = (event: PointerEvent) => this.#point(event.offsetX);
  readonly #leave = () => this.#point(null);
  #data: ChartData | null = null;
  #markerS: number | null = null;
  #index: number | null = null;
  #plot: Plot | null = null;

  constructor(
    private readonly element: HTMLElement,
    private readonly onPoint: (index: number | null) => void,
  ) {
    this.#tag.className = 'chart-tag';
    this.#tag.hidden = true;
    this.#resizing.observe(element);
    this.#dark.addEventListener('change', this.#redraw);
    this.#canvas.addEventListener('pointermove', this.#follow);
    this.#canvas.addEventListener('pointerleave', this.#leave);
  }

  show(data: ChartData, markerS: number | null): void {
    this.#data = data;
    this.#markerS = markerS;
    const isEmpty = data.times.length === 0;
    if (isEmpty) this.element.replaceChildren();
    else if (!this.#canvas.isConnected) this.element.append(this.#canvas, this.#tag);
    this.#draw();
  }

  end(): void {
    this.#resizing.disconnect();
    this.#dark.removeEventListener('change', this.#redraw);
    this.element.replaceChildren();
  }

  readonly #colorOf = (property: string): string => getComputedStyle(this.element).getPropertyValue(property).trim();

  /** Selects the point next to a position, in pixels from the left. */
  #point(place: number | null): void {
    const { left = 0, width = 0, x } = this.#plot ?? {};
    const times = this.#data?.times ?? [];
    let nearest: number | null = null;
    if (place !== null && x !== undefined && place >= left && place <= left + width) {
      for (const [index, time] of times.entries()) {
        const far = Math.abs(x(time) - place);
        if (nearest === null || far <= Math.abs(x(times[nearest] ?? 0) - place)) nearest = index;
      }
    }
    if (nearest === this.#index) return;
    this.#index = nearest;
    this.onPoint(nearest);
    this.#draw();
  }

  #draw(): void {
    const [data, width] = [this.#data, this.element.clientWidth];
    const ctx = this.#canvas.getContext('2d');
    if (data === null || ctx === null || width === 0 || data.times.length === 0) return;
    const ratio = window.devicePixelRatio;
    Object.assign(this.#canvas, { width: Math.round(width * ratio), height: Math.round(HEIGHT * ratio) });
    Object.assign(this.#canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
    ctx.scale(ratio, ratio);
    ctx.font = FONT;
    const span = spanOf(data);
    const range = rangeOf(data, span);
    const height = HEIGHT - AROUND.top - AROUND.bottom;
    const labels = valueLabels(range, Math.floor(height / 36), data.valueText);
    const left = 10 + Math.max(0, ...labels.map(({ text }) => ctx.measureText(text).width));
    const plotWidth = width - left - AROUND.right;
    const plot: Plot = {
      ctx,
      data,
      left,
      width: plotWidth,
      bottom: AROUND.top + height,
      x: (timeS) => left + ((timeS - span[0]) / (span[1] - span[0])) * plotWidth,
      y: (value) => AROUND.top + ((range[1] - value) / (range[1] - range[0])) * height,
    };
    this.#plot = plot;
    ctx.fillStyle = this.#colorOf('--muted');
    ctx.strokeStyle = this.#colorOf('--line');
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'right';
    for (const { at, text } of labels) {
      const y = Math.round(plot.y(at)) + 0.5;
      ctx.fillText(text, left - 6, y);
      path(ctx, [left, y], [left + plotWidth, y]);
    }
    ctx.textAlign = 'center';
    for (const { at, text } of timeLabels(span, plotWidth / 70)) {
      // A label that the edge would cut is left out: at another position, it would name another time.
      if (plot.x(at) + ctx.measureText(text).width / 2 <= width) ctx.fillText(text, plot.x(at), plot.bottom + 14);
    }
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, AROUND.top, plotWidth, height);
    ctx.clip();
    for (const line of data.lines) this.#drawLine(plot, line);
    this.#drawCandles(plot);
    ctx.strokeStyle = this.#colorOf('--ink');
    ctx.setLineDash([4, 4]);
    // A marker outside of the shown times is drawn at the edge.
    if (this.#markerS !== null) this.#drawVertical(plot, Math.min(Math.max(this.#markerS, span[0]), span[1]));
    ctx.restore();
    for (const mark of data.marks ?? []) this.#drawMark(plot, mark, span);
    this.#drawPointed(plot);
  }

  #drawVertical({ bottom, ctx, x }: Plot, timeS: number): void {
    path(ctx, [x(timeS), AROUND.top], [x(timeS), bottom]);
  }

  #drawLine({ bottom, ctx, data: { times }, x, y }: Plot, { color, kind, values }: ChartLine): void {
    if (kind === 'none') return;
    const stroke = this.#colorOf(color);
    ctx.fillStyle = ctx.strokeStyle = stroke;
    const points = times.flatMap((time, index) => {
      const value = values[index];
      return value === undefined ? [] : [[time, value] as const];
    });
    if (kind === 'bars') {
      const most = Math.max(1, ...points.map(([, value]) => value));
      const gaps = points.slice(1).map(([time], index) => x(time) - x(points[index]?.[0] ?? 0));
      const width = Math.max(1, Math.min(BARS.widthPx, 0.7 * Math.min(BARS.widthPx * 2, ...gaps)));
      ctx.globalAlpha = 0.45;
      for (const [time, value] of points) {
        const height = (value / most) * BARS.part * (bottom - AROUND.top);
        ctx.fillRect(x(time), bottom - height, width, height);
      }
      ctx.globalAlpha = 1;
      return;
    }
    const places = points.flatMap(([time, value], index): (readonly [number, number])[] => {
      const before = points[index - 1];
      const here = [x(time), y(value)] as const;
      return kind === 'steps' && before !== undefined ? [[here[0], y(before[1])], here] : [here];
    });
    ctx.lineWidth = 2;
    path(ctx, ...places);
    ctx.lineWidth = 1;
    if (points.length <= POINTS_SHOWN) for (const [time, value] of points) dot(ctx, x(time), y(value));
    const [first, last] = [places[0], places.at(-1)];
    if (kind === 'line' || first === undefined || last === undefined) return;
    ctx.globalAlpha = 0.1;
    ctx.beginPath();
    for (const place of [...places, [last[0], bottom] as const, [first[0], bottom] as const]) ctx.lineTo(...place);
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  /** A candle that rose is hollow, one that fell is filled: they differ without color too. */
  #drawCandles({ ctx, data: { candles, lines, times }, x, y }: Plot): void {
    if (candles === undefined) return;
    const [yes = '', no = '', card = ''] = ['--yes', '--no', '--card'].map(this.#colorOf);
    for (const [index, start] of times.entries()) {
      const [open = 0, high = 0, low = 0, close = 0] = [candles.open, candles.high, candles.low, candles.close].map(
        (line) => y(lines[line]?.values[index] ?? 0),
      );
      const period = x(start + candles.periodS) - x(start);
      const width = Math.max(2, Math.min(0.7 * period, BARS.widthPx));
      const middle = x(start) + period / 2;
      // The vertical axis of a canvas points down.
      const hasFallen = close > open;
      ctx.strokeStyle = hasFallen ? no : yes;
      ctx.fillStyle = hasFallen ? no : card;
      path(ctx, [middle, high], [middle, low]);
      const body = [middle - width / 2, Math.min(open, close), width, Math.max(1, Math.abs(close - open))] as const;
      ctx.fillRect(...body);
      ctx.strokeRect(...body);
    }
  }

  /** A triangle upward below a buy's price, downward above a sell's, a diamond at the top for news. */
  #drawMark({ ctx, x: placeOf, y: heightOf }: Plot, { atS, kind, value }: ChartMark, span: readonly number[]): void {
    if (atS < (span[0] ?? 0) || atS > (span[1] ?? 0)) return;
    const [x, isNews] = [placeOf(atS), kind === 'news'];
    const y = isNews ? AROUND.top + MARK_PX : heightOf(value);
    const base = isNews ? y : y + 1.6 * MARK_PX * (kind === 'sell' ? -1 : 1);
    ctx.fillStyle = this.#colorOf({ news: '--wait', buy: '--yes', sell: '--no' }[kind]);
    ctx.strokeStyle = this.#colorOf('--card');
    ctx.beginPath();
    ctx.moveTo(x, isNews ? y - MARK_PX : y);
    ctx.lineTo(x + MARK_PX, base);
    if (isNews) ctx.lineTo(x, y + MARK_PX);
    ctx.lineTo(x - MARK_PX, base);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
  }

  /** Draws the selected point, with a tag of its value at the side that has space. */
  #drawPointed(plot: Plot): void {
    const { ctx, data, left, width } = plot;
    const { [this.#index ?? -1]: time } = data.times;
    const value = data.lines.at(-1)?.values[this.#index ?? -1];
    this.#tag.hidden = time === undefined || value === undefined;
    if (time === undefined || value === undefined) return;
    const [x, y] = [plot.x(time), plot.y(value)];
    ctx.fillStyle = this.#colorOf('--accent');
    ctx.strokeStyle = this.#colorOf('--muted');
    ctx.setLineDash([4, 4]);
    this.#drawVertical(plot, time);
    ctx.setLineDash([]);
    dot(ctx, x, y);
    this.#tag.textContent = data.valueText(value);
    const isLeft = x > left + width / 2;
    this.#tag.style.transform = `translate(${x}px, ${y}px) translate(${isLeft ? 'calc(-100% - 8px)' : '8px'}, -50%)`;
  }
}

function path(ctx: CanvasRenderingContext2D, ...places: readonly (readonly [number, number])[]): void {
  ctx.beginPath();
  for (const place of places) ctx.lineTo(...place);
  ctx.stroke();
}

function dot(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.beginPath();
  ctx.arc(x, y, 3, 0, 2 * Math.PI);
  ctx.fill();
}

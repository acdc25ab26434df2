interface Ask {
  readonly untilMs: number;
  /** Whether an event has happened that the participant waits for. */
  readonly isWoken: () => boolean;
  readonly onTurn: () => void;
}

interface Seat {
  readonly accountId: string;
  /** Requests that wait for the participant's turn, or for an earlier request. */
  readonly waiting: (() => Promise<void>)[];
  isServed: boolean;
  ask: Ask | null;
  isLeftOut: boolean;
}

interface TurnsOptions {
  readonly accountIds: readonly string[];
  readonly patienceMs: number;
  readonly now: () => number;
  readonly settle: () => Promise<void>;
  /** Plays the next moment, at `untilMs` at the latest. Resolves with false after the last moment. */
  readonly playNext: (untilMs: number) => Promise<boolean>;
  /** Called before participants get their turns, who may ask for the clock elsewhere at once. */
  readonly onWoken: () => void;
  readonly onLeftOut: (accountId: string) => Promise<void>;
  readonly onOver: () => void;
  readonly onFailed: (error: unknown) => void;
}

/**
 * Participants take turns by number in each moment. The requests of the lowest number that does not wait are served in
 * order; others' requests wait. A participant that does not call for `patienceMs` of the wall clock is left out. When
 * all wait, the clock moves from moment to moment, until one has what it waits for. After the end every request is
 * served at once.
 */
export class Turns {
  readonly #seats: readonly Seat[];
  #isMoving = false;
  #isOver = false;
  #patience: { readonly seat: Seat; readonly timer: NodeJS.Timeout } | null = null;

  constructor(private readonly options: TurnsOptions) {
    const free = { ask: null, isLeftOut: false, isServed: false };
    this.#seats = options.accountIds.map((accountId) => ({ ...free, accountId, waiting: [] }));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get waitedFor(): readonly string[] {
    return this.#isOver ? [] : this.#calling.map(({ accountId }) => accountId);
  }

  /** The seats that the clock waits for; the first of them has its turn. */
  get #calling(): readonly Seat[] {
    return this.#seats.filter(({ ask, isLeftOut }) => ask === null && !isLeftOut);
  }

  isLeftOut(turn: number): boolean {
    return this.#seats[turn]?.isLeftOut ?? false;
  }

  start(): void {
    this.#step();
  }

  /** Serves a request in the participant's turn, after its earlier requests. */
  serve(turn: number, work: () => Promise<void>): void {
    this.#seatOf(turn).waiting.push(work);
    this.#step();
  }

  wait(turn: number, ask: Ask): void {
    this.#seatOf(turn).ask = ask;
    this.#step();
  }

  /** Serves the present request at a later time, before the participant's other requests. */
  serveAt(turn: number, untilMs: number, work: () => Promise<void>): void {
    this.#seatOf(turn).waiting.unshift(work);
    this.wait(turn, { isWoken: () => false, onTurn: () => undefined, untilMs });
  }

  /** Ends the backtest: no further moment is played. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // This call precedes any answer, since a client with an answer may request the report at once.
    this.options.onOver();
    this.#forget();
    for (const seat of this.#seats) this.#giveTurn(seat);
    this.#step();
  }

  #seatOf(turn: number): Seat {
    const seat = this.#seats[turn];
    if (seat === undefined) throw new RangeError(`there is no participant ${turn}`);
    return seat;
  }

  #step(): void {
    if (this.#isOver) {
      for (const seat of this.#seats) for (const work of seat.waiting.splice(0)) void work();
      return;
    }
    if (this.#isMoving) return;
    const [seat] = this.#calling;
    if (seat === undefined) {
      this.#isMoving = true;
      void this.#move();
      return;
    }
    if (seat.isServed) return;
    const work = seat.waiting.shift();
    if (work === undefined) {
      this.#await(seat);
      return;
    }
    this.#forget();
    seat.isServed = true;
    void work().finally(() => {
      seat.isServed = false;
      this.#step();
    });
  }

  async #move(): Promise<void> {
    try {
      await this.options.settle();
      do {
        this.#wake();
        if (this.#calling.length > 0) break;
        const untilMs = Math.min(...this.#seats.map(({ ask }) => ask?.untilMs ?? Infinity));
        if (!(await this.options.playNext(untilMs))) this.end();
      } while (!this.#isOver);
    } catch (error) {
      this.options.onFailed(error);
      this.end();
    }
    this.#isMoving = false;
    this.#step();
  }

  #wake(): void {
    const now = this.options.now();
    const woken = this.#seats.filter(({ ask }) => ask !== null && (ask.untilMs <= now || ask.isWoken()));
    if (woken.length > 0) this.options.onWoken();
    for (const seat of woken) this.#giveTurn(seat);
  }

  #giveTurn(seat: Seat): void {
    const { ask } = seat;
    seat.ask = null;
    ask?.onTurn();
  }

  #await(seat: Seat): void {
    if (this.#patience?.seat === seat) return;
    this.#forget();
    const timer = setTimeout(() => void this.#leaveOut(seat), this.options.patienceMs);
    this.#patience = { seat, timer };
  }

  #forget(): void {
    clearTimeout(this.#patience?.timer);
    this.#patience = null;
  }

  async #leaveOut(seat: Seat): Promise<void> {
    this.#patience = null;
    seat.isLeftOut = true;
    this.#isMoving = true;
    await this.options.onLeftOut(seat.accountId).catch(this.options.onFailed);
    this.#isMoving = false;
    this.#step();
  }
}

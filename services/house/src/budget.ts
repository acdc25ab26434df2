/** A token bucket of money, which refills evenly within an hour: over T hours at most capacity × (1 + T) is spent. */
export class Budget {
  #spentUnits = 0;
  #at = 0;

  constructor(readonly capacityUnits: number) {}

  leftUnits(nowMs: number): number {
    this.#recover(nowMs);
    return this.capacityUnits - this.#spentUnits;
  }

  spend(units: number, nowMs: number): void {
    this.#recover(nowMs);
    this.#spentUnits += units;
  }

  /** Refunds at most what was spent, so that one trader's loss does not become credit for another. */
  giveBack(units: number, nowMs: number): void {
    this.#recover(nowMs);
    this.#spentUnits = Math.max(0, this.#spentUnits - units);
  }

  #recover(nowMs: number): void {
    const hours = Math.max(0, nowMs - this.#at) / 3_600_000;
    this.#spentUnits = Math.max(0, this.#spentUnits - hours * this.capacityUnits);
    this.#at = Math.max(this.#at, nowMs);
  }
}

/** How much the taker has lost against the anchor. The budget of all markets gets the maker's gains back. */
export class LossBudgets {
  readonly #markets = new Map<string, Budget>();
  readonly #house: Budget;

  constructor(
    readonly marketUnits: number,
    houseUnits: number,
  ) {
    this.#house = new Budget(houseUnits);
  }

  leftUnits(marketId: string, nowMs: number): number {
    return Math.min(this.#market(marketId).leftUnits(nowMs), this.#house.leftUnits(nowMs));
  }

  /** Records the loss of a trade of the taker; a gain is ignored. */
  addLoss(marketId: string, lossUnits: number, nowMs: number): void {
    if (lossUnits <= 0) return;
    this.#market(marketId).spend(lossUnits, nowMs);
    this.#house.spend(lossUnits, nowMs);
  }

  /** Corrects a loss that was counted in advance and turned out to be `units` smaller. */
  reduceLoss(marketId: string, units: number, nowMs: number): void {
    this.#market(marketId).giveBack(units, nowMs);
    this.#house.giveBack(units, nowMs);
  }

  addGain(gainUnits: number, nowMs: number): void {
    this.#house.giveBack(Math.max(0, gainUnits), nowMs);
  }

  #market(marketId: string): Budget {
    let budget = this.#markets.get(marketId);
    if (budget === undefined) {
      budget = new Budget(this.marketUnits);
      this.#markets.set(marketId, budget);
    }
    return budget;
  }
}

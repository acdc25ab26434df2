/** The kinds of incidents. A run proves nothing about a kind that it does not contain. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['appends sent again', / is sent again/],
  ['batches or commands refused', /alarm: the journal refused/],
  ['states reloaded', /the state was reloaded from the journal/],
  ['writers fenced', /alarm: another writer has taken over/],
  ['journals of former rules', /a former build wrote the journal/],
  ['takeovers', /serves from sequence/],
  ['kills', /has ended: killed/],
  ['stops', /has ended: stopped/],
  ['pauses', / is paused for/],
  ['suspended machines', / is suspended for/],
  ['clocks set', /the wall clock of .* is set/],
  ['clocks led away', /the wall clock of .* is led away/],
  ['clocks distrusted', /alarm: the wall clock jumped/],
  ['clocks trusted again', /the wall clock is trusted again/],
  ['leases let run out', /alarm: stepping down/],
  ['cuts from the journal', /is cut from the journal/],
  ['cuts from the leases', /is cut from the leases/],
  ['second writers', /^rogue-\S+ starts/],
  ['snapshots taken', /a snapshot is taken/],
  ['snapshots damaged', /snapshot is damaged/],
  ['answers given again', /: replayed$/],
  ['markets closed', /decided CloseMarket: accepted/],
  ['pieces of runs', /decided ContinueRun: accepted/],
];

export class Coverage {
  readonly counts = new Map<string, number>(KINDS.map(([kind]) => [kind, 0]));

  see(text: string): void {
    for (const [kind, pattern] of KINDS) if (pattern.test(text)) this.#add(kind, 1);
  }

  add(other: ReadonlyMap<string, number>): void {
    for (const [kind, count] of other) this.#add(kind, count);
  }

  text(): string {
    return [...this.counts].map(([kind, count]) => `${kind} ${count.toLocaleString('en')}`).join(', ');
  }

  #add(kind: string, count: number): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }
}

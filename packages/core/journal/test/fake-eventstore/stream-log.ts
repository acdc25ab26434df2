/** Streams in memory, with the semantics of EventStoreDB 24.2; stream-semantics.ts proves them against a real server. */

/** An event that a client asks the server to store. */
export interface ProposedEvent {
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly id: string;
  readonly metadata: Uint8Array;
  readonly type: string;
}

/** A stored event. `revision` counts from 0 within the stream, `position` from 0 over all streams. */
export interface RecordedEvent extends ProposedEvent {
  readonly createdMs: number;
  readonly position: number;
  readonly revision: number;
  readonly stream: string;
}

/** A revision is the one of the event that the stream must end with. */
export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists';

export type AppendOutcome =
  /** `revision` and `position` are of the batch's last event; null after an empty batch to an empty stream. */
  | { readonly kind: 'stored'; readonly position: number | null; readonly revision: number | null }
  /** `current` is null where there is no stream. */
  | { readonly kind: 'wrong_expected_version'; readonly current: number | null; readonly expected: ExpectedRevision }
  | { readonly kind: 'too_large'; readonly limitBytes: number }
  | { readonly kind: 'stream_deleted'; readonly stream: string };

/** A stream as a reader sees it, without the events that its metadata hides. */
export type StreamView =
  | {
      readonly kind: 'found';
      /** The event of a revision; undefined where it is hidden. */
      readonly at: (revision: number) => RecordedEvent | undefined;
      readonly first: number;
      readonly last: number;
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'deleted' };

/** The server's default for MaxAppendSize. It counts the data of an append's events, and not their metadata. */
export const MAX_APPEND_BYTES = 1024 * 1024;

export interface StreamLog {
  append(stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]): AppendOutcome;
  /** Copies all streams; the answer makes everything as it was then, as an operator does who restores a backup. */
  backup(): () => void;
  /**
   * Deletes the stream. `hide` hides its events until a later append shows the stream again; `tombstone` deletes it for
   * ever.
   */
  delete(stream: string, expected: ExpectedRevision, how: 'hide' | 'tombstone'): AppendOutcome;
  /** Drops what a restarted server has lost: ids that were appended at no explicit revision. */
  forgetIds(): void;
  /**
   * Hides everything beyond this revision of any stream from readers; null: nothing is hidden. Appends still use the
   * true end.
   */
  showUpTo(revision: number | null): void;
  view(stream: string): StreamView;
  /** Calls back after every change, until the returned function is called. */
  watch(onChange: () => void): () => void;
  /** The same for the subscriptions of metadata. */
  watchMetadata(onChange: () => void): () => void;
  /** The number of subscriptions of events. */
  readonly watchers: number;
}

interface Stream {
  readonly events: RecordedEvent[];
  tombstoned: boolean;
}

/** The revision that $tb names in a stream that was deleted softly. */
const HIDES_ALL = Number.MAX_SAFE_INTEGER;

export function createStreamLog(now: () => number = Date.now): StreamLog {
  const streams = new Map<string, Stream>();
  const revisionOfId = new Map<string, number>();
  const watchers = new Set<() => void>();
  const metadataWatchers = new Set<() => void>();
  const watchBy = (set: Set<() => void>) => (onChange: () => void) => {
    set.add(onChange);
    return () => void set.delete(onChange);
  };
  let positions = 0;
  let shownUpTo: number | null = null;

  const streamOf = (name: string): Stream => {
    const known = streams.get(name);
    if (known !== undefined) return known;
    const created: Stream = { events: [], tombstoned: false };
    streams.set(name, created);
    return created;
  };
  const lastOf = (name: string): number => (streams.get(name)?.events.length ?? 0) - 1;
  // A metadata stream shows only its newest event.
  const firstVisible = (name: string): number =>
    name.startsWith('$$') ? lastOf(name) : firstByMetadata(streams.get(`$$${name}`)?.events.at(-1), lastOf(name));
  const changed = (): void => {
    for (const watcher of [...watchers, ...metadataWatchers]) watcher();
  };

  const store = (name: string, events: readonly ProposedEvent[]): void => {
    const stream = streamOf(name);
    for (const event of events) {
      const revision = stream.events.length;
      stream.events.push({ ...event, createdMs: now(), position: positions, revision, stream: name });
      positions += 1;
      revisionOfId.set(`${name}/${event.id}`, revision);
    }
  };
  const storeMetadata = (name: string, metadata: object): void => {
    const data = Buffer.from(JSON.stringify(metadata));
    const type = '$metadata';
    store(`$$${name}`, [
      { contentType: 'application/json', data, id: crypto.randomUUID(), metadata: new Uint8Array(), type },
    ]);
  };

  /**
   * Finds the batch by its ids and returns its last revision; 'nowhere' where no id is found; 'partly' where only some
   * are, which means a corrupted stream.
   */
  const standing = (
    name: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): number | 'nowhere' | 'partly' => {
    const stored = streams.get(name)?.events ?? [];
    const explicit = expected === 'any' || expected === 'stream_exists' ? null : revisionOf(expected);
    let last = -1;
    for (const [index, { id }] of events.entries()) {
      const revision = explicit === null ? revisionOfId.get(`${name}/${id}`) : explicit + 1 + index;
      if (revision === undefined || stored[revision]?.id !== id) return index === 0 ? 'nowhere' : 'partly';
      last = revision;
    }
    return events.length === 0 ? 'nowhere' : last;
  };

  const append: StreamLog['append'] = (name, expected, events) => {
    if (sizeOf(events) > MAX_APPEND_BYTES) return { kind: 'too_large', limitBytes: MAX_APPEND_BYTES };
    const stream = streams.get(name);
    if (stream?.tombstoned === true) return { kind: 'stream_deleted', stream: name };
    const current = lastOf(name);
    const hidden = current >= 0 && firstVisible(name) > current;
    const answer = (revision: number): AppendOutcome => ({
      kind: 'stored',
      position: streams.get(name)?.events[revision]?.position ?? null,
      revision: revision < 0 ? null : revision,
    });
    const wrong: AppendOutcome = {
      kind: 'wrong_expected_version',
      current: current < 0 ? null : current,
      expected,
    };

    if (expected === 'stream_exists' && hidden) return { kind: 'stream_deleted', stream: name };
    if (expected === 'stream_exists' && current < 0 && lastOf(`$$${name}`) < 0) return wrong;
    const anywhere = expected === 'any' || expected === 'stream_exists';
    if (anywhere || revisionOf(expected) < current) {
      const found = standing(name, expected, events);
      if (found === 'partly') return wrong;
      if (typeof found === 'number') return answer(found);
      if (!anywhere && !(expected === 'no_stream' && hidden)) return wrong;
    } else if (revisionOf(expected) > current) {
      return wrong;
    }

    if (hidden && events.length > 0) storeMetadata(name, { $tb: current + 1 });
    store(name, events);
    changed();
    return answer(lastOf(name));
  };

  return {
    append,
    backup: () => {
      const copyOf = (all: ReadonlyMap<string, Stream>): [string, Stream][] =>
        [...all].map(([name, { events, tombstoned }]) => [name, { events: [...events], tombstoned }]);
      const copy = new Map(copyOf(streams));
      const positionsThen = positions;
      return () => {
        streams.clear();
        for (const [name, stream] of copyOf(copy)) streams.set(name, stream);
        positions = positionsThen;
        revisionOfId.clear();
        changed();
      };
    },
    delete: (name, expected, how) => {
      const current = lastOf(name);
      if (streams.get(name)?.tombstoned === true) return { kind: 'stream_deleted', stream: name };
      const fits =
        expected === 'any' || (expected === 'stream_exists' ? current >= 0 : revisionOf(expected) === current);
      if (!fits) return { kind: 'wrong_expected_version', current: current < 0 ? null : current, expected };
      if (how === 'hide') storeMetadata(name, { $tb: HIDES_ALL });
      else streamOf(name).tombstoned = true;
      changed();
      return { kind: 'stored', position: positions - 1, revision: current < 0 ? null : current };
    },
    forgetIds: () => revisionOfId.clear(),
    showUpTo: (revision) => {
      shownUpTo = revision;
      changed();
    },
    view: (name) => {
      const stream = streams.get(name);
      if (stream?.tombstoned === true) return { kind: 'deleted' };
      const first = firstVisible(name);
      const last = Math.min(lastOf(name), shownUpTo ?? HIDES_ALL);
      if (stream === undefined || last < 0 || first === HIDES_ALL) return { kind: 'not_found' };
      const at = (revision: number): RecordedEvent | undefined =>
        revision < first || revision > last ? undefined : stream.events[revision];
      return { kind: 'found', at, first, last };
    },
    get watchers() {
      return watchers.size;
    },
    watch: watchBy(watchers),
    watchMetadata: watchBy(metadataWatchers),
  };
}

function revisionOf(expected: number | 'no_stream'): number {
  return expected === 'no_stream' ? -1 : expected;
}

function sizeOf(events: readonly ProposedEvent[]): number {
  return events.reduce((sum, { data }) => sum + data.length, 0);
}

/** The first revision that $maxCount and $tb leave visible. */
function firstByMetadata(metadata: RecordedEvent | undefined, last: number): number {
  if (metadata === undefined) return 0;
  const { $maxCount, $tb } = JSON.parse(Buffer.from(metadata.data).toString()) as Record<string, number | undefined>;
  return Math.max(0, $tb ?? 0, $maxCount === undefined ? 0 : last + 1 - $maxCount);
}

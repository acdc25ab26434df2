import { formatDuration, pause, RateMeter } from '@paper/timing';
import type { Head } from '@paper/journal';
import type { ReadDb } from '../models/tables.ts';
import { checkpointIn } from '../projection/projector.ts';
import { activeSchema, fillingSchemas } from '../projection/registry.ts';
import { BeingFilled } from './read-models.ts';
import type { ReadModels } from './read-models.ts';

/** The progress of filling the read models. */
export interface FillProgress {
  readonly seq: number;
  readonly target: number;
  /** The estimated time left; null while it is unknown. */
  readonly leftMs: number | null;
}

/** Describes the progress, such as `310000 of 1000000 events, about 20 s left`. */
export function describeFill({ seq, target, leftMs }: FillProgress): string {
  if (seq >= target) return `all ${target} events are read, indexes are made`;
  const left = leftMs === null ? '' : `, about ${formatDuration(leftMs)} left`;
  return `${seq} of ${target} events${left}`;
}

const CHECK_MS = 250;

/** Observes from a reading process how a projector fills the read models. */
export class FillWatch {
  readonly #meter = new RateMeter();
  #filling: Promise<void> | null = null;
  #isFilled = false;

  constructor(
    private readonly readModels: Pick<ReadModels, 'readAnyway' | 'served'>,
    private readonly head: () => Promise<Head>,
  ) {}

  /**
   * Resolves when the read models are filled, or the database does not say; undefined once they are filled. Streams
   * wait for it, since a browser does not reopen a stream that was answered with an error.
   */
  readonly filled = (): Promise<void> | undefined => {
    if (this.#isFilled) return undefined;
    this.#filling ??= this.#awaitFilled().finally(() => (this.#filling = null));
    return this.#filling;
  };

  /** The progress of the fill, as far as it is committed. @throws errors of the database and the journal. */
  async progress(): Promise<FillProgress> {
    const seq = await this.readModels.readAnyway(filledSeq);
    const { seq: target } = await this.head();
    this.#meter.add(performance.now(), seq);
    return { seq, target, leftMs: this.#meter.msTo(target) };
  }

  async #awaitFilled(): Promise<void> {
    while (!this.#isFilled) {
      try {
        await this.readModels.served();
        this.#isFilled = true;
      } catch (error) {
        if (!(error instanceof BeingFilled)) return;
        await pause(CHECK_MS);
      }
    }
  }
}

/** The sequence of the schema that serves, or of the one that will. */
async function filledSeq(db: ReadDb): Promise<number> {
  const [filling = null] = await fillingSchemas(db);
  const schema = (await activeSchema(db)) ?? filling;
  return schema === null ? 0 : ((await checkpointIn(db, schema))?.seq ?? 0);
}

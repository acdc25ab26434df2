import type { ReadDb } from '../models/tables.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { ProjectionFenced } from '../engine/faults.ts';
import { Projection } from '../projection/projection.ts';
import type { ProjectionSettings } from '../projection/projection.ts';
import { catchUp } from '../projection/projector.ts';
import type { CatchUpOptions } from '../projection/projector.ts';
import type { SchemaStatus } from '../projection/registry.ts';

/** The most positions in memory (some 150 MB); with more, balances are read from the tables. */
const POSITIONS_MAX = 1_000_000;

/** Projects into a schema up to one target after another. The markets are loaded once. */
export class Filler {
  readonly #settings: ProjectionSettings;
  #projection: Projection | null = null;

  /** @param tables only these tables are written; default: all */
  constructor(
    private readonly db: ReadDb,
    private readonly journal: ComparedJournal,
    readonly schema: string,
    readonly status: SchemaStatus,
    tables?: ProjectionSettings['tables'],
  ) {
    this.#settings = {
      role: status === 'former' ? 'former' : 'serving',
      ...(tables === undefined ? { positionsMax: POSITIONS_MAX } : { tables }),
    };
  }

  /** Projects up to the target, while a projector may work in the same schema. Returns the sequence reached. */
  async fillTo(target: number, options: CatchUpOptions = {}): Promise<number> {
    for (;;) {
      const projection = (this.#projection ??= await Projection.open(this.db, this.schema, this.#settings));
      try {
        await catchUp(projection, this.journal, target, options);
        return projection.checkpoint.seq;
      } catch (error) {
        this.#projection = null;
        // A projector has moved the checkpoint in the meantime.
        if (this.status !== 'former' || !(error instanceof ProjectionFenced)) throw error;
      }
    }
  }
}

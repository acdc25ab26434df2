import { createHash } from 'node:crypto';
import { Restoration, SNAPSHOT_VERSION, type State } from '@paper/exchange';
import type { Journal } from '@paper/journal';
import { beginFromSnapshot } from '@paper/command-api/snapshots/begin';
import type { StoredSnapshot } from '@paper/command-api/snapshots/store';
import { addText, snapshotText } from '@paper/command-api/snapshots/text';
import { loadToEnd, type Beginning } from '@paper/command-api/writer/load';
import type { Memory } from '@paper/command-api/writer/memory';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Snapshots as their store keeps them, the newest first; some are damaged on the shelf. */
export class SnapshotShelf {
  readonly #taken: { readonly snapshot: StoredSnapshot; text: string }[] = [];

  /** Where a fold of this journal begins. */
  beginning(journal: Journal): Beginning {
    return () => beginFromSnapshot(journal, this, { began: () => undefined, refused: () => undefined });
  }

  /** Takes one of all that the journal has, from the newest that there is. */
  async take(journal: Journal): Promise<Memory> {
    const memory = await loadToEnd(journal, await this.beginning(journal)());
    const { head, state } = memory;
    const text = [...snapshotText(state)].join('');
    const stateHash = digest(text);
    const bytes = text.length;
    const snapshot = { ...head, build: 'sim', bytes, pieces: 1, stateHash, storedBytes: bytes };
    this.#taken.unshift({ snapshot: { ...snapshot, version: SNAPSHOT_VERSION }, text });
    this.#taken.splice(3);
    return memory;
  }

  /** One character of the newest is another one from now on. */
  damage(): void {
    const [newest] = this.#taken;
    if (newest === undefined) return;
    const at = newest.text.length >> 1;
    newest.text = `${newest.text.slice(0, at)}~${newest.text.slice(at + 1)}`;
  }

  list(): Promise<readonly StoredSnapshot[]> {
    return Promise.resolve(this.#taken.map(({ snapshot }) => snapshot));
  }

  /** @throws where the text is not the one that was taken. */
  async read(wanted: StoredSnapshot): Promise<State> {
    const found = this.#taken.find(({ snapshot }) => snapshot === wanted);
    if (found === undefined || digest(found.text) !== wanted.stateHash) throw new Error('its text was damaged');
    const restoration = new Restoration();
    addText(restoration, found.text);
    return Promise.resolve(restoration.end());
  }
}

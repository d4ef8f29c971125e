import type { FileKey } from "../keys/file-key.ts";
import type { KeptFile } from "../stores/file-store.ts";

/** A key with a new file, and what was there before. */
export interface Replaced {
  readonly key: FileKey;
  /** Of the new file. */
  readonly version: string;
  /** Null where there was nothing. */
  kept: KeptFile | null;
}

/** Changes of this process that may be undone still, such as those of transactions that are open. */
export class UnsettledChanges {
  readonly #changes = new Set<Replaced>();

  add(change: Replaced): void {
    this.#changes.add(change);
  }

  remove(change: Replaced): void {
    this.#changes.delete(change);
  }

  /** The change that has taken the place of what another one stored, and would put that back. */
  after({ key, version }: Replaced): Replaced | undefined {
    return [...this.#changes].find((change) => change.key === key && change.kept?.version === version);
  }
}

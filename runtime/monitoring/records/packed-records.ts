/**
 * Records on their way to the worker: all their numbers beside each other, and all their texts. Copying these few objects costs
 * a tenth of what copying records costs, and nothing of a record is left for the garbage collector while it waits.
 */
export interface PackedRecords {
  readonly count: number;
  readonly numbers: Float64Array;
  /** UTF-16 of all texts, one after the other: whatever a text is made of comes out as it went in. */
  readonly characters: Uint16Array;
  /** Texts that many records share, which refer to them by their place. */
  readonly names: readonly string[];
}

/** What stands for a name, a text or a list that is not there, where its place or its length stands else. */
export const absent = -1;

/** What comes first of each record. */
export const kinds = { request: 0, other: 1 } as const;

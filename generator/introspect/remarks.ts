/** Something that the models cannot say, and what follows from that. */
export interface Remark {
  /** Null for what belongs to no table that became a model. */
  readonly table: string | null;
  /** `column fulltext (tsvector)`. */
  readonly what: string;
  /** What becomes of it. */
  readonly outcome: string;
  /** Something that stops working, or that somebody must do by hand. */
  readonly loud?: true;
}

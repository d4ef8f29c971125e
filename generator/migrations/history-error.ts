/** Migrations that do not hold together, in words for the user. */
export class HistoryError extends Error {
  override readonly name = "HistoryError";
  /** What to do about it, where it is not the usual. */
  readonly fix: string | null;

  constructor(message: string, fix: string | null = null) {
    super(message);
    this.fix = fix;
  }
}

/** Migrations that do not hold together, in words for the user. */
export class HistoryError extends Error {
  override readonly name = "HistoryError";
  /** What to do about it, where it is not the usual. */
  readonly fix: string | null;
  /** Migrations that others build on, or that the lock has, and that are not there. */
  readonly missing: readonly string[];

  constructor(message: string, fix: string | null = null, missing: readonly string[] = []) {
    super(message);
    this.fix = fix;
    this.missing = missing;
  }
}

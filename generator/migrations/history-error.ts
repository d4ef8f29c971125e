/** An inconsistent history of migrations. The message is for the user. */
export class HistoryError extends Error {
  override readonly name = "HistoryError";
  /** The fix, if it is not the usual one. */
  readonly fix: string | null;
  /** Missing migrations that are in the lock, or that others build on. */
  readonly missing: readonly string[];

  constructor(message: string, fix: string | null = null, missing: readonly string[] = []) {
    super(message);
    this.fix = fix;
    this.missing = missing;
  }
}

/** Migrations that do not hold together, in words for the user. */
export class HistoryError extends Error {
  override readonly name = "HistoryError";
}

/**
 * The format of generated code. Increase it by one when the runtime can no longer run older generated code:
 * an imported name was removed, or a call or type has another meaning. Do not increase it for other changes,
 * so that most upgrades need no run of the generator. CHANGELOG.md lists each format.
 */
export const codeFormat = 1;

/** The format in a parsed lock. 0 for code that was generated before formats existed. */
export function codeFormatOf(lock: { readonly code_format?: unknown }): number {
  const format = lock.code_format;
  return typeof format === "number" && Number.isSafeInteger(format) && format > 0 ? format : 0;
}

/** The text of a format in messages. */
export function shownFormat(format: number): string {
  return format === 0 ? "no code format" : `code format ${format}`;
}

/**
 * The format of generated code. Raise it by one when the runtime cannot serve older generated code: an imported name is
 * gone, or a call or type has another meaning. Do not raise it for other differences, so that most upgrades need no run
 * of the generator. CHANGELOG.md lists each format.
 */
export const codeFormat = 1;

/** The format in a parsed lock. 0 for code that is older than formats. */
export function codeFormatOf(lock: { readonly code_format?: unknown }): number {
  const format = lock.code_format;
  return typeof format === "number" && Number.isSafeInteger(format) && format > 0 ? format : 0;
}

/** A format in messages. */
export function shownFormat(format: number): string {
  return format === 0 ? "no code format" : `code format ${format}`;
}

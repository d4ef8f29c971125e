/**
 * The format of generated code: what the generator writes and the runtime serves. It is raised by one when the runtime cannot serve any
 * more what an older generator wrote: where a name that generated files import goes, or a call or a type of theirs means something
 * else. Files that only look otherwise raise nothing, so that most upgrades need no run of the generator. CHANGELOG.md says it.
 */
export const codeFormat = 1;

/** The format that a lock describes, by what was read from its JSON; 0 for one of before there were formats. */
export function codeFormatOf(lock: { readonly code_format?: unknown }): number {
  const format = lock.code_format;
  return typeof format === "number" && Number.isSafeInteger(format) && format > 0 ? format : 0;
}

/** A format as messages have it. */
export function shownFormat(format: number): string {
  return format === 0 ? "no code format" : `code format ${format}`;
}

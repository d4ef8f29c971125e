/**
 * An error of Redis as a log may show it: without the command that failed, whose keys and values hold people's data. Old
 * servers repeat it in their message too.
 */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(/, with args beginning with:.*/s, "");
  return "command" in error || message !== error.message ? new Error(`Redis: ${message}`) : error;
}

/** Prints why a command fails, and returns its exit code. */
export function failed<Code extends 1 | 2>(code: Code, message: string): Code {
  process.stderr.write(message);
  return code;
}

/** The message of an error, for such a line. */
export function messageOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

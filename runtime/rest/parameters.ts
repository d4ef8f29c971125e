import type { Problem } from "../errors/index.ts";
import { readQueryString } from "../http/index.ts";

const exceptions = {
  // Every operation ignores `deleted_at`, whatever is said of it.
  mayRepeat: /^deleted_at(?:__|$)/,
  mayBeEmpty: /^deleted_at(?:__|$)|__is_(?:not_)?null$/,
};

/** Reads the query string of a request for a model: filters and other parameters, as `readQueryString` does. */
export function readParameters(text: string, problems: Problem[]): ReadonlyMap<string, string> {
  return readQueryString(text, problems, exceptions);
}

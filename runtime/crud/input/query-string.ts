import type { Problem } from "../../errors/index.ts";
import { refuseNul, undecodableUrl } from "../../http/url.ts";

const ignored = /^deleted_at(?:__|$)/;
/** The value of these is ignored. */
const nullCheck = /__is_(?:not_)?null$/;

const none: ReadonlyMap<string, string> = new Map();

/**
 * Reads a query string. A name that stands twice or has no value is a problem; for `deleted_at`, which every operation
 * ignores, nothing is. Errors: 400 for what cannot be decoded and for a NUL character.
 */
export function readQueryString(text: string, problems: Problem[]): ReadonlyMap<string, string> {
  if (text === "") return none;
  const parameters = new Map<string, string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    if (!ignored.test(name)) {
      if (parameters.has(name)) problems.push({ field: name, message: "stands more than once" });
      if (value === "" && !nullCheck.test(name)) problems.push({ field: name, message: "is empty" });
    }
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw undecodableUrl();
  }
  return refuseNul(decoded);
}

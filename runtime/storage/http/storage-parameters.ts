import { type Problem, refuseProblems } from "../../errors/index.ts";
import { keyRules } from "../keys/file-key.ts";
import { readStoredKey, type StoredKey } from "../keys/stored-key.ts";
import type { StorageCall } from "./storage-route.ts";

type Sent = Pick<StorageCall, "parameters" | "problems">;

/** The key in `path`, which must be there, once nothing else is wrong. Errors: 400 with all that is. */
export function requirePath({ parameters, problems }: Sent): StoredKey {
  const sent = parameters.get("path");
  const key = sent === undefined ? null : readStoredKey(sent);
  // That it is empty has been noticed already.
  if (key === null && sent !== "")
    problems.unshift({ field: "path", message: sent === undefined ? "is required" : keyRules });
  refuseProblems(problems);
  if (key === null) throw new Error("a path that is no key is a problem");
  return key;
}

/** `true` or `false`, of a form or a query. */
export function readFlag(field: string, sent: string, problems: Problem[]): boolean {
  if (sent !== "true" && sent !== "false") problems.push({ field, message: "must be true or false" });
  return sent === "true";
}

/** A whole number within bounds; what is too much is the problem that it is unless it is `capped`. */
export function readWholeNumber(
  field: string,
  { parameters, problems }: Sent,
  bounds: {
    readonly min: number;
    readonly max: number;
    readonly fallback: number;
    readonly capped?: boolean;
  },
): number {
  const { min, max, fallback, capped = false } = bounds;
  const sent = parameters.get(field) ?? String(fallback);
  if (sent === "") return fallback;
  const value = /^\d+$/.test(sent) ? Number(sent) : Number.NaN;
  if (value >= min && (value <= max || capped)) return Math.min(value, max);
  problems.push(outOfBounds(field, min, capped ? null : max));
  return fallback;
}

function outOfBounds(field: string, min: number, max: number | null): Problem {
  const range = max === null ? `of at least ${min}` : `from ${min} to ${max}`;
  return { field, message: `must be a whole number ${range}` };
}

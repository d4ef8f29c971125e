import type { Request, Response } from "express";
import type { StorageOperation } from "../../../../vocabulary/storage.ts";
import { type Problem, refuseProblems } from "../../../core/errors/index.ts";
import type { SuccessResponse } from "../../../core/http/index.ts";
import type { StorageServices } from "../files/storage-services.ts";
import { keyRules, readStoredKey, type StoredKey } from "../keys/file-key.ts";

/** A request of an authorised caller, after its rate limit. */
export interface StorageCall {
  readonly services: StorageServices;
  readonly request: Request;
  readonly response: Response;
  /** Id of the caller. */
  readonly user: string;
  /** Key prefix that the caller can access. Empty: all keys. Null: no keys. */
  readonly allowedPrefix: string | null;
  /** Known query parameters. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Validation problems so far. */
  readonly problems: Problem[];
}

/** A route of the storage module (docs/storage.md). */
export interface StorageRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly operation: StorageOperation;
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  readonly run: (call: StorageCall) => Promise<SuccessResponse>;
}

type Sent = Pick<StorageCall, "parameters" | "problems">;

/** The required key in `path`. Errors: 400 with all problems. */
export function requirePath({ parameters, problems }: Sent): StoredKey {
  const sent = parameters.get("path");
  const key = sent === undefined ? null : readStoredKey(sent);
  // The router has already reported an empty value.
  if (key === null && sent !== "")
    problems.unshift({ field: "path", message: sent === undefined ? "is required" : keyRules });
  refuseProblems(problems);
  if (key === null) throw new Error("an invalid path was not reported as a problem");
  return key;
}

/** `true` or `false` in a form or query. */
export function readFlag(field: string, sent: string, problems: Problem[]): boolean {
  if (sent !== "true" && sent !== "false") problems.push({ field, message: "must be true or false" });
  return sent === "true";
}

/** A whole number within bounds. If `capped`, the maximum replaces a larger number. */
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

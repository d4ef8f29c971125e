import type { Request, Response } from "express";
import type { StorageOperation } from "../../../../vocabulary/storage.ts";
import { type Problem, refuseProblems, ServiceError } from "../../../core/errors/index.ts";
import type { SuccessResponse } from "../../../core/http/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { countRequest, type OperationCounter } from "../../rate-limit/index.ts";
import type { StorageServices } from "../files/storage-services.ts";
import { keyRules, readStoredKey, type StoredKey } from "../keys/file-key.ts";
import { allowedPrefixOf } from "../keys/key-reach.ts";

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

/** Serves a row of `storageRoutes` (docs/storage.md). */
export interface StorageRoute {
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  readonly run: (call: StorageCall) => Promise<SuccessResponse>;
}

interface Caller {
  readonly principal: Principal;
  readonly address: string;
}

export interface StorageRouterOptions {
  readonly services: StorageServices;
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  /** Operations without a counter have no limit. */
  readonly counters: ReadonlyMap<StorageOperation, OperationCounter>;
}

/** Checks the credential, and counts the request. Errors: those of the credential, `RATE_LIMIT_EXCEEDED`. */
export async function admitCaller(
  { services, callerOf, counters }: StorageRouterOptions,
  operation: StorageOperation | null,
  request: Request,
  response: Response,
): Promise<Pick<StorageCall, "services" | "user" | "allowedPrefix">> {
  const { principal, address } = await callerOf(request, response);
  const { user_id: user } = principal;
  if (user === null) throw new ServiceError("MISSING_TOKEN", "Storage needs an access token or an API key.");
  const { id, trace } = request.context;
  if (operation !== null)
    await countRequest(counters.get(operation), { principal, address, trace }, response);
  const log = services.log.child({ request_id: id, ...trace.logFields });
  return {
    services: { ...services, log },
    user,
    allowedPrefix: allowedPrefixOf(principal, services.settings),
  };
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
  const range = capped ? `of at least ${min}` : `from ${min} to ${max}`;
  problems.push({ field, message: `must be a whole number ${range}` });
  return fallback;
}

import type { AccountCounter } from "./built-in-routes.ts";
import type { Operation } from "./operations.ts";
import type { StorageOperation } from "./storage.ts";

/** Requests per window. */
export interface Limit {
  readonly maxRequests: number;
  readonly windowSeconds: number;
}

/** The scope of a counter: the caller's address, the user, or all callers of the model. */
export type CountedPer = "ip" | "user" | "model";

/** Prefix of a guest's address in counters per user. */
export const guestPrefix = "anon:";

/** The caller of a request. A guest has no user. */
interface CountedCaller {
  readonly address: string;
  readonly user: string | null;
}

/** Counter name of a model operation. */
export function operationName(model: string, operation: Operation): string {
  return `crud:${model}:${operation}`;
}

/** Counter name of a storage operation. */
export function storageOperationName(operation: StorageOperation): string {
  return `storage:${operation}`;
}

/** Counter name of a custom route. Its path has no prefix. */
export function routeCounterName(method: string, path: string): string {
  return `route:${method}:${path}`;
}

/** Counter key of an operation: per address, per user, or for all callers. */
export function operationCounterKey(name: string, per: CountedPer, { address, user }: CountedCaller): string {
  if (per === "model") return name;
  return per === "ip" ? `${name}:ip:${address}` : `${name}:user:${user ?? `${guestPrefix}${address}`}`;
}

/** Counter key of a user's wrong current passwords. */
export function wrongPasswordCounterKey(userId: string): string {
  return `auth:change-password:user:${userId}`;
}

/** Counter key of the text messages with which a user changes the phone number. */
export function userSmsCounterKey(userId: string): string {
  return `auth:sms:user:${userId}`;
}

/** Counter key of account mails to an e-mail address. */
export function mailCounterKey(email: string): string {
  return `auth:mail:email:${email}`;
}

/** Counter key of account text messages per network address. */
export function smsCounterKey(address: string): string {
  return `auth:sms:ip:${address}`;
}

/** All social providers share their counters: their names are no part of the key. */
const socialCounters: Readonly<Record<string, string>> = {
  "/{provider}/callback": "social:callback",
  "/apple/callback": "social:callback",
  "/{provider}/mobile": "social:mobile",
  "/providers/{provider}/link": "auth:providers/link",
};

/** Counter key of an account route: by network address, user, e-mail address or phone number. */
export function accountCounterKey(path: string, by: AccountCounter, whom: string): string {
  return `${socialCounters[path] ?? `auth:${path.slice(1)}`}:${by}:${whom}`;
}

import type { AccountCounter } from "./built-in-routes.ts";
import type { Operation } from "./operations.ts";
import type { StorageOperation } from "./storage.ts";

/** How many requests are let through in a window. */
export interface Limit {
  readonly maxRequests: number;
  readonly windowSeconds: number;
}

/** What an operation of a model is counted by: the caller's address, the user, or nothing. */
export type CountedPer = "ip" | "user" | "model";

/** What is before the address of a guest where users are counted. */
export const guestMark = "anon:";

/** Who sends a request. A guest has no user. */
interface CountedCaller {
  readonly address: string;
  readonly user: string | null;
}

/** What an operation of a model is counted as. */
export function operationName(model: string, operation: Operation): string {
  return `crud:${model}:${operation}`;
}

/** What an operation of the storage module is counted as. */
export function storageOperationName(operation: StorageOperation): string {
  return `storage:${operation}`;
}

/** What a route of your own is counted as; its path is without the prefix. */
export function routeCounterName(method: string, path: string): string {
  return `route:${method}:${path}`;
}

/** The key of what counts an operation, by its name: for each address, for each user, or for all together. */
export function operationCounterKey(name: string, per: CountedPer, { address, user }: CountedCaller): string {
  if (per === "model") return name;
  return per === "ip" ? `${name}:ip:${address}` : `${name}:user:${user ?? `${guestMark}${address}`}`;
}

/** The key of what counts wrong current passwords of a user. */
export function wrongPasswordCounterKey(userId: string): string {
  return `auth:change-password:user:${userId}`;
}

/** The key of what counts mails of the account routes to an e-mail address. */
export function mailCounterKey(email: string): string {
  return `auth:mail:email:${email}`;
}

/** The key of what counts text messages of the account routes on behalf of an address of the network. */
export function smsCounterKey(address: string): string {
  return `auth:sms:ip:${address}`;
}

/** Social sign-ins are counted for all providers together. */
const socialCounters: Readonly<Record<string, string>> = {
  "/{provider}/callback": "social:callback",
  "/apple/callback": "social:callback",
  "/{provider}/mobile": "social:mobile",
};

/** The key of what counts a route of the accounts: by an address of the network, an e-mail address or a phone number. */
export function accountCounterKey(path: string, by: AccountCounter, whom: string): string {
  return `${socialCounters[path] ?? `auth:${path.slice(1)}`}:${by}:${whom}`;
}

import type { AccountCounter } from "./built-in-routes.ts";
import type { CountedPer } from "./limits.ts";
import type { Operation } from "./operations.ts";

/** What stands before the address of a guest where users are counted. */
export const guestMark = "anon:";

/** Who sends a request. A guest has no user. */
interface CountedCaller {
  readonly address: string;
  readonly user: string | null;
}

/** The key of what counts an operation of a model (contract: "Rate limiting (CRUD and auth)"). */
export function operationCounterKey(
  model: string,
  operation: Operation,
  per: CountedPer,
  { address, user }: CountedCaller,
): string {
  const name = `crud:${model}:${operation}`;
  if (per === "model") return name;
  return per === "ip" ? `${name}:ip:${address}` : `${name}:user:${user ?? `${guestMark}${address}`}`;
}

/** Social sign-ins are counted for all providers together (contract: "Rate limiting (CRUD and auth)"). */
const socialCounters: Readonly<Record<string, string>> = {
  "/{provider}/callback": "social:callback",
  "/apple/callback": "social:callback",
  "/{provider}/mobile": "social:mobile",
};

/** The key of what counts a route of the accounts: by an address of the network, an e-mail address or a phone number. */
export function accountCounterKey(path: string, by: AccountCounter, whom: string): string {
  return `${socialCounters[path] ?? `auth:${path.slice(1)}`}:${by}:${whom}`;
}

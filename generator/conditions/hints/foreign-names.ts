import { claims } from "../../../vocabulary/conditions/conditions.ts";

// Names from other languages for placeholders and keywords.

/** Claims of the credential have their own placeholders. */
export const claimOf: ReadonlyMap<string, string> = new Map([
  ["id", "{user_id}"],
  ["email", "{email}"],
]);

/** The hint for all names of the caller's id. */
const caller = "the caller's value is {user_id}";

/** Prefixes for the caller and their columns. */
const callers: readonly string[] = ["user", "users", "caller", "current_user", "me"];

/** Prefixes for the credential and its claims. */
const credentials: readonly string[] = ["auth", "request.auth", "session", "jwt", "token", "claims"];

/** Names for the id of the caller. */
const ids: readonly string[] =
  "userid user_id uid auth.uid current_user current_user_id currentuser session_user me user caller".split(
    " ",
  );

/** Prefix of Hasura's session variables. */
const sessionPrefix = "x-hasura-";

const times: readonly string[] =
  "now current_timestamp current_date localtimestamp today sysdate getdate datetime.now date.now".split(" ");

const literals: ReadonlyMap<string, string> = new Map([
  ["undefined", "write IS NULL"],
  ["nil", "write IS NULL"],
  ["none", "write IS NULL"],
  ["yes", "write true"],
  ["no", "write false"],
]);

const ofRoles = 'put roles into the rule: "role": ["admin", "staff"]';

/** How to test the elements of a list. */
export const listHint =
  "to look for one value in a list, write CONTAINS 'a'; for one of several, OVERLAPS ('a', 'b')";

const ofElements: readonly string[] =
  "has hasany hasevery include includes included contain contained overlap array_contains having member".split(
    " ",
  );

/** Whether a word tests for a list element in another language. */
export function asksForElement(word: string): boolean {
  return ofElements.includes(word.toLowerCase());
}

/** The placeholder for a name that means the caller in another language. */
export function callerHint(name: string): string | null {
  const lower = name.toLowerCase();
  if (lower === "role" || lower === "auth.role" || lower === "current_role") return ofRoles;
  if (ids.includes(lower)) return caller;
  if (lower.startsWith(sessionPrefix))
    return sessionHint(lower.slice(sessionPrefix.length).replaceAll("-", "_"));
  const dot = name.lastIndexOf(".");
  const column = name.slice(dot + 1);
  if (dot < 0) return claimHint(lower);
  const of = lower.slice(0, dot);
  if (credentials.includes(of))
    return `the caller's ${claimOf.has(column) ? `value is ${claimOf.get(column)}` : "values are {user_id}, {email} and {user.<column>}"}`;
  if (!callers.includes(of)) return null;
  return `the caller's value is ${claimOf.get(column) ?? `{user.${column}}`}`;
}

function sessionHint(name: string): string {
  if (/(^|_)roles?$/.test(name)) return ofRoles;
  if (name === "id" || ids.includes(name)) return caller;
  return claimHint(name) ?? `the caller's value is {user.${name}}, if "users" has this column`;
}

function claimHint(name: string): string | null {
  const claim = claims.find((each) => each === name);
  return claim === undefined ? null : `the caller's value is {${claim}}`;
}

/** A hint for an unknown field with a name from another language. */
export function foreignHint(name: string): string | null {
  const lower = name.toLowerCase();
  if (times.includes(lower)) return "write now()";
  return callerHint(name) ?? literals.get(lower) ?? null;
}

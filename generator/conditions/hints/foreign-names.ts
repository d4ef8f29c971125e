import { claims } from "../../../vocabulary/conditions/conditions.ts";

// Names that other languages have for what is in braces, or is written otherwise, here.

/** What the credential says of the caller has placeholders of its own. */
export const claimOf: ReadonlyMap<string, string> = new Map([
  ["id", "{user_id}"],
  ["email", "{email}"],
]);

/** What is stated of him, however it is asked for. */
const caller = "the caller's is {user_id}";

/** The caller himself, and where his columns are. */
const callers: readonly string[] = ["user", "users", "caller", "current_user", "me"];

/** The credential, where his claims are. */
const credentials: readonly string[] = ["auth", "request.auth", "session", "jwt", "token", "claims"];

/** The id of the caller. */
const ids: readonly string[] =
  "userid user_id uid auth.uid current_user current_user_id currentuser session_user me user caller".split(
    " ",
  );

/** Of the variables that Hasura has of a session. */
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

const ofRoles = 'a rule names its roles: "role": ["admin", "staff"]';

/** How a list is asked for its elements. */
export const listHint =
  "to look for one value in a list, write CONTAINS 'a'; for one of several, OVERLAPS ('a', 'b')";

const ofElements: readonly string[] =
  "has hasany hasevery include includes included contain contained overlap array_contains having member".split(
    " ",
  );

/** Whether a word asks a list for an element elsewhere. */
export function asksForElement(word: string): boolean {
  return ofElements.includes(word.toLowerCase());
}

/** What represents the caller here, where a name is one that others have for him. */
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
    return `the caller's ${claimOf.has(column) ? `is ${claimOf.get(column)}` : "are {user_id}, {email} and {user.<column>}"}`;
  if (!callers.includes(of)) return null;
  return `the caller's is ${claimOf.get(column) ?? `{user.${column}}`}`;
}

function sessionHint(name: string): string {
  if (/(^|_)roles?$/.test(name)) return ofRoles;
  if (name === "id" || ids.includes(name)) return caller;
  return claimHint(name) ?? `the caller's is {user.${name}}, where "users" has such a column`;
}

function claimHint(name: string): string | null {
  const claim = claims.find((each) => each === name);
  return claim === undefined ? null : `the caller's is {${claim}}`;
}

/** What to write for a name that is not a field here. */
export function foreignHint(name: string): string | null {
  const lower = name.toLowerCase();
  if (times.includes(lower)) return "write now()";
  return callerHint(name) ?? literals.get(lower) ?? null;
}

import { everyRole, signedIn } from "../../../vocabulary/role-names.ts";
import { allRows } from "./access-matrix.ts";
import type { OpenedField, OpenedRows } from "./widened-access.ts";

/** The operation that is no operation: what relations show of an internal model. */
const join = ".join";

/** `books.fetch, with count and exists, opens all rows to everybody, and opened published = true before`. */
export function rowsText({ operation, along, role, rows, instead }: OpenedRows): string {
  const before = instead === null ? "nothing" : rowsOf(instead);
  if (operation.endsWith(join))
    return `${role} joins ${rowsOf(rows)} of ${operation.slice(0, -join.length)}, which is internal; before: ${before}`;
  const others = along.length === 0 ? "" : `, with ${along.join(" and ")},`;
  return `${operation}${others} opens ${rowsOf(rows)} to ${who(role)}; before: ${before}`;
}

/** `books.price can be read by everybody`. */
export function fieldText({ field, gate, role }: OpenedField): string {
  return `${field} can be ${gate === "read" ? "read" : "written"} by ${who(role)}`;
}

/** A role in a sentence. */
export function who(role: string): string {
  if (role === signedIn) return "everybody who signed in";
  return role === everyRole ? "everybody" : role;
}

/** The rows of an entry, in a sentence. */
export function rowsOf(rows: string): string {
  return rows === allRows ? rows : `the rows with ${rows}`;
}

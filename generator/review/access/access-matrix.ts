import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import { joinedByOr } from "../../conditions/index.ts";
import { allRows, splitRows } from "../../emit/views/matrix-layout.ts";
import type { PathHop } from "../../emit/views/path-hops.ts";

/** The texts of the rows that each role's own rules open. Roles are in quotes unless they are a plain word. */
export type RoleRows = ReadonlyMap<string, readonly string[]>;

/** Who reads, or who writes, the fields of a model. */
export interface FieldTable {
  /** The roles that reach rows. */
  readonly roles: ReadonlySet<string>;
  /** Whether these roles use all fields but `names`. Otherwise they use only `names`. */
  readonly all: boolean;
  readonly names: ReadonlySet<string>;
  /** The fields with a gate, and the roles that it admits in addition to those of the first line. */
  readonly further: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The roles that can read and write a field, if they can access the model. `*` is everyone. */
export interface Gate {
  readonly read: ReadonlySet<string>;
  readonly write: ReadonlySet<string>;
}

/** One model in `access-matrix.txt`. */
export interface MatrixModel {
  readonly internal: boolean;
  /**
   * By operation; the halves of an upsert are two. An operation that is open to no one has no roles. For the `join` of an internal
   * model, the keys are not roles but the relations that lead to it, such as `books.author_id`.
   */
  readonly operations: ReadonlyMap<string, RoleRows>;
  readonly reads: FieldTable;
  readonly writes: FieldTable;
  /** The values that the server sets in new rows, by field. */
  readonly presets: ReadonlyMap<string, string>;
  /** The relation paths of its rules and of the named conditions on it, by the names of the relations. */
  readonly paths: ReadonlyMap<string, readonly PathHop[]>;
}

/** The roles that can call custom routes, as the matrix spells them, by `POST /slots/:id`. */
export type RouteRoles = ReadonlyMap<string, ReadonlySet<string>>;

/** Models by key. */
export type Matrix = ReadonlyMap<string, MatrixModel>;

/** A named condition, as written. */
export interface MatrixCondition {
  /** The key of the model that it is about. */
  readonly on: string;
  readonly text: string;
}

/** What `access-matrix.txt` says. */
export interface Access {
  readonly models: Matrix;
  readonly conditions: ReadonlyMap<string, MatrixCondition>;
  readonly routes: RouteRoles;
  /** Names of the tools of the module `mcp`. */
  readonly tools: ReadonlySet<string>;
}

/** A model without gates. */
export const openFields: FieldTable = { roles: new Set(), all: true, names: new Set(), further: new Map() };

/** A model whose fields no role uses. */
export const closedFields: FieldTable = { ...openFields, all: false };

/** A model that the text does not have. */
export const withoutAccess: MatrixModel = {
  internal: false,
  operations: new Map(),
  reads: openFields,
  writes: openFields,
  presets: new Map(),
  paths: new Map(),
};

const everyone: ReadonlySet<string> = new Set([everyRole]);
const noRoles: ReadonlySet<string> = new Set();

/** Who can read and write a field, with or without a gate. */
export function gateOf({ reads, writes }: Pick<MatrixModel, "reads" | "writes">, field: string): Gate {
  return { read: usersOf(reads, field), write: usersOf(writes, field) };
}

function usersOf({ roles, all, names, further }: FieldTable, field: string): ReadonlySet<string> {
  const isCommon = names.has(field) !== all;
  const more = further.get(field);
  if (more === undefined) return isCommon ? everyone : noRoles;
  return isCommon ? new Set([...roles, ...more]) : more;
}

/** The roles in the matrix whose access a role has, narrowest first: itself, signed-in users, everyone. */
export function rolesWith(role: string): readonly string[] {
  if (role === everyRole) return [role];
  // A guest has no credential, so it is not signed in.
  return role === signedInRole || role === guestRole ? [role, everyRole] : [role, signedInRole, everyRole];
}

/** The rows that a role accesses by its rules and those of wider roles, each part as written. Null for no access. */
export function rowsOfRole(roles: RoleRows | undefined, role: string): readonly string[] | null {
  const rows = rolesWith(role).flatMap((each) => roles?.get(each) ?? []);
  return rows.length === 0 ? null : rows;
}

/** `all rows`, or one condition for the rows of several rules; then the rows of the rules that name fields. */
export function rowsOfRules(rows: readonly string[]): string[] {
  const named = rows.filter((text) => splitRows(text).fields !== null);
  const others = rows.filter((text) => !named.includes(text));
  const together = others.includes(allRows) ? [allRows] : others.length === 0 ? [] : [joinedByOr(others)];
  return [...together, ...new Set(named)];
}

/** Whether a gate admits a role. */
export function gateAdmits(gate: ReadonlySet<string>, role: string): boolean {
  return rolesWith(role).some((each) => gate.has(each));
}

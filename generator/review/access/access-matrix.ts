import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";

/** One relation in the path of a rule, as the matrix spells it. */
export interface PathHop {
  readonly from: { readonly model: string; readonly column: string };
  /** `>` for `belongs_to`, `<` for `has_many` and `has_one`. */
  readonly sign: string;
  readonly to: { readonly model: string; readonly column: string };
  /** Whether only the first row counts. */
  readonly first: boolean;
  /** Whether deleted rows are left out. */
  readonly live: boolean;
}

const hop = String.raw`\w+\.\w+ [<>] \w+\.\w+(?: \((?:first|live|first, live)\))?`;
/** The text of a path in its line. */
export const hopsPattern = `${hop}(?:, ${hop})*`;

/** Parses the text of a path. */
export function hopsIn(text: string): PathHop[] {
  const parts = text.matchAll(/(\w+)\.(\w+) ([<>]) (\w+)\.(\w+)(?: \(([^)]*)\))?/g);
  return [...parts].map(([, model = "", column = "", sign = "", target = "", key = "", flags = ""]) => ({
    from: { model, column },
    sign,
    to: { model: target, column: key },
    first: flags.startsWith("first"),
    live: flags.endsWith("live"),
  }));
}

/** Prints a path as the matrix spells it. */
export function hopsText(hops: readonly PathHop[]): string {
  return hops
    .map(({ from, sign, to, first, live }) => {
      const flags = [...(first ? ["first"] : []), ...(live ? ["live"] : [])];
      const way = `${from.model}.${from.column} ${sign} ${to.model}.${to.column}`;
      return flags.length === 0 ? way : `${way} (${flags.join(", ")})`;
    })
    .join(", ");
}

/** The access of one role by one operation. */
export interface Reach {
  /** `all rows`, or a condition. */
  readonly rows: string;
  /** Fields that the role cannot read or write. */
  readonly unread: ReadonlySet<string>;
  readonly unwritten: ReadonlySet<string>;
}

/** The roles that can read and write a field, if they can access the model. `*` is everyone. */
export interface Gate {
  readonly read: ReadonlySet<string>;
  readonly write: ReadonlySet<string>;
}

/** One model in `access-matrix.txt`. Roles are spelled as in the file: in quotes unless they are a plain word. */
export interface MatrixModel {
  readonly internal: boolean;
  /** Whether a field without a gate is closed. In other models, everyone with access to the model can read it. */
  readonly closed: boolean;
  /**
   * By operation and role. An operation that is open to no one has no roles. For the `join` of an internal model, the keys are not
   * roles but the relations that lead to it, such as `books.author_id`.
   */
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, Reach>>;
  /** Only fields with a gate. */
  readonly gates: ReadonlyMap<string, Gate>;
  /** The values that the server sets in new rows, by field. */
  readonly presets: ReadonlyMap<string, string>;
  /** The relation paths of its rules, by the names of the relations. Texts of earlier versions have none. */
  readonly paths: ReadonlyMap<string, readonly PathHop[]>;
}

/** Models by key. */
export type Matrix = ReadonlyMap<string, MatrixModel>;

/** The text for the rows of a rule without a condition. */
export const allRows = "all rows";

/** A role: one word, or a string in quotes. */
export const rolePattern = String.raw`"(?:[^"\\]|\\.)*"|[A-Za-z0-9_*.@:-]+`;

const roles = `(?:${rolePattern})(?:, (?:${rolePattern}))*`;
const gateLine = new RegExp(
  `^(\\w+) +field (\\w+): read by (${roles})(?:, written by (${roles}))?(?:, preset (\\S+(?: on write)?))?$`,
);
const internalLine =
  /^(\w+) +internal, (no routes|reached by joins alone)(; nobody reads a field without a line)?$/;
const pathLine = new RegExp(String.raw`^(\w+) +path ([\w.]+): (${hopsPattern})$`);
const nobodyLine = /^(\w+)\.([a-z:]+) +nobody$/;
const fieldName = String.raw`(?:\w+|"\w+")`;
const fieldNames = `${fieldName}(?:, ${fieldName})*`;
/** Names of fields have no spaces, so a condition cannot contain text that looks like the end of a line. */
const roleLine = new RegExp(
  String.raw`^(\w+)\.([a-z:]+) +(${rolePattern}) +(.+?) {2,}` +
    String.raw`reads (?:fields with a line|all(?: but ([\w, ]+?))?|${fieldNames})` +
    String.raw`(?:, writes (?:all(?: but ([\w, ]+))?|${fieldNames}))?$`,
);

interface OpenModel extends MatrixModel {
  internal: boolean;
  closed: boolean;
  readonly operations: Map<string, Map<string, Reach>>;
  readonly gates: Map<string, Gate>;
  readonly presets: Map<string, string>;
  readonly paths: Map<string, readonly PathHop[]>;
}

/** The first line of old texts, in which `signed_in` was an ordinary role. */
const beforeSignedIn = "# model.operation, role (* is everybody, guests included), rows, fields.";

/** Parses the text of `access-matrix.txt`. Skips unknown lines. */
export function parseMatrix(text: string): Matrix {
  const named = text.includes(`\n${beforeSignedIn}`)
    ? (role: string) => (role === signedInRole ? `"${role}"` : role)
    : null;
  const models = new Map<string, OpenModel>();
  const modelOf = (key: string) => {
    const known = models.get(key) ?? {
      internal: false,
      closed: false,
      operations: new Map(),
      gates: new Map(),
      presets: new Map(),
      paths: new Map(),
    };
    models.set(key, known);
    return known;
  };
  const rolesOf = (key: string, operation: string) => {
    const { operations } = modelOf(key);
    const known = operations.get(operation) ?? new Map<string, Reach>();
    operations.set(operation, known);
    return known;
  };
  for (const line of text.split("\n")) {
    const [, key = "", operation = "", role = "", rows = "", unread, unwritten] = roleLine.exec(line) ?? [];
    const [, denied = "", deniedOperation = ""] = nobodyLine.exec(line) ?? [];
    const [, internal = "", reached, closed] = internalLine.exec(line) ?? [];
    const [, walked = "", path = "", hops = ""] = pathLine.exec(line) ?? [];
    const [, gated = "", field = "", read = "", write, preset] = gateLine.exec(line) ?? [];
    if (key !== "")
      rolesOf(key, operation).set(named?.(role) ?? role, {
        rows,
        unread: names(unread),
        unwritten: names(unwritten),
      });
    else if (walked !== "") modelOf(walked).paths.set(path, hopsIn(hops));
    else if (denied !== "") rolesOf(denied, deniedOperation);
    else if (internal !== "") {
      modelOf(internal).internal = true;
      modelOf(internal).closed = closed !== undefined;
      if (reached === "no routes") rolesOf(internal, "join").set("*", anyJoin);
    } else if (gated !== "") {
      // A field of an open model without this part is set by the server, so no role needs it.
      const writers = write ?? (modelOf(gated).closed ? "nobody" : "everybody");
      modelOf(gated).gates.set(field, { read: roleSet(read, named), write: roleSet(writers, named) });
      if (preset !== undefined) modelOf(gated).presets.set(field, preset);
    }
  }
  for (const model of models.values()) addGates(model);
  return models;
}

const everybody: ReadonlySet<string> = new Set(["*"]);
const nobody: ReadonlySet<string> = new Set();

/** Who can read and write a field, with or without a gate. */
export function gateOf({ gates, closed }: MatrixModel, field: string): Gate {
  const open = closed ? nobody : everybody;
  return gates.get(field) ?? { read: open, write: open };
}

/** The roles in the matrix whose access a role has, narrowest first: itself, signed-in users, everyone. */
export function rolesWith(role: string): readonly string[] {
  if (role === everyRole) return [role];
  // A guest has no credential, so it is not signed in.
  return role === signedInRole || role === guestRole ? [role, everyRole] : [role, signedInRole, everyRole];
}

/** The access of a role by an operation. The line of a role includes the access of wider roles. */
export function reachOfRole(roles: ReadonlyMap<string, Reach> | undefined, role: string): Reach | undefined {
  const holder = rolesWith(role).find((each) => roles?.has(each));
  return holder === undefined ? undefined : roles?.get(holder);
}

/** Whether a gate admits a role. */
export function gateAdmits(gate: ReadonlySet<string>, role: string): boolean {
  return rolesWith(role).some((each) => gate.has(each));
}

/** Texts of earlier versions do not list the relations that lead to an internal model. */
const anyJoin: Reach = { rows: allRows, unread: new Set(), unwritten: new Set() };

/** Texts of earlier versions have no gates of public models. This derives the gates from the access of each role. */
function addGates({ operations, gates }: OpenModel): void {
  const reaches = [...operations].flatMap(([operation, roles]) =>
    [...roles].map(([role, reach]) => ({ role, reach, writes: writing.test(operation) })),
  );
  const open = (side: "unread" | "unwritten", field: string): ReadonlySet<string> => {
    const asked = reaches.filter(({ writes }) => writes || side === "unread");
    const denied = new Set(asked.filter(({ reach }) => reach[side].has(field)).map(({ role }) => role));
    const roles = asked.map(({ role }) => role).filter((role) => !denied.has(role));
    return new Set(denied.size === 0 ? ["*"] : roles);
  };
  for (const { reach } of reaches)
    for (const field of [...reach.unread, ...reach.unwritten])
      if (!gates.has(field))
        gates.set(field, { read: open("unread", field), write: open("unwritten", field) });
}

/** Operations that set fields. */
const writing = /^(create|update|upsert|restore)/;

function names(list: string | undefined): ReadonlySet<string> {
  return new Set(list === undefined ? [] : list.split(", "));
}

function roleSet(list: string, named: ((role: string) => string) | null): ReadonlySet<string> {
  if (list === "everybody") return new Set(["*"]);
  const found = list === "nobody" ? [] : (list.match(new RegExp(rolePattern, "g")) ?? []);
  return new Set(found.map((role) => named?.(role) ?? role));
}

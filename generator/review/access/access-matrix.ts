import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";

/** One relation on a path of a rule, as its line spells it. */
export interface PathHop {
  readonly from: { readonly model: string; readonly column: string };
  /** `>` is a `belongs_to`, `<` its other side. */
  readonly sign: string;
  readonly to: { readonly model: string; readonly column: string };
  /** Only the first of several rows counts. */
  readonly first: boolean;
  /** Deleted rows do not count. */
  readonly live: boolean;
}

const hop = String.raw`\w+\.\w+ [<>] \w+\.\w+(?: \((?:first|live|first, live)\))?`;
/** Where a path leads, in its line. */
export const hopsPattern = `${hop}(?:, ${hop})*`;

/** Reads it. */
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

/** A path as its line spells it. */
export function hopsText(hops: readonly PathHop[]): string {
  return hops
    .map(({ from, sign, to, first, live }) => {
      const flags = [...(first ? ["first"] : []), ...(live ? ["live"] : [])];
      const way = `${from.model}.${from.column} ${sign} ${to.model}.${to.column}`;
      return flags.length === 0 ? way : `${way} (${flags.join(", ")})`;
    })
    .join(", ");
}

/** What one role reaches by one operation. */
export interface Reach {
  /** `all rows`, or a condition. */
  readonly rows: string;
  /** Fields that stay closed to it. */
  readonly unread: ReadonlySet<string>;
  readonly unwritten: ReadonlySet<string>;
}

/** The roles that may read and write a field, of those who reach the model; `*` is everyone. */
export interface Gate {
  readonly read: ReadonlySet<string>;
  readonly write: ReadonlySet<string>;
}

/** One model in `access-matrix.txt`. Roles are spelled as they are there: in quotes where they are not a plain word. */
export interface MatrixModel {
  readonly internal: boolean;
  /** No one reads a field without a gate. Of other models everyone does who reaches them. */
  readonly closed: boolean;
  /**
   * By operation and role. An operation that no one runs has no roles. The `join` of an internal model has relations that lead
   * to it in their place, such as `books.author_id`.
   */
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, Reach>>;
  /** Of the fields that have one. */
  readonly gates: ReadonlyMap<string, Gate>;
  /** What the server sets in new rows, by field. */
  readonly presets: ReadonlyMap<string, string>;
  /** The ways over relations that its rules go, by the names of the relations. Texts of earlier versions have none. */
  readonly paths: ReadonlyMap<string, readonly PathHop[]>;
}

/** Models by key. */
export type Matrix = ReadonlyMap<string, MatrixModel>;

/** Rows of a role without a condition, as they are in the text. */
export const allRows = "all rows";

/** A role: one word, or a string in quotes. */
export const rolePattern = String.raw`"(?:[^"\\]|\\.)*"|[A-Za-z0-9_*.@:-]+`;

const roles = `(?:${rolePattern})(?:, (?:${rolePattern}))*`;
const gateLine = new RegExp(
  `^(\\w+) +field (\\w+): read by (${roles})(?:, written by (${roles}))?(?:, preset (\\S+))?$`,
);
const internalLine =
  /^(\w+) +internal, (no routes|reached by joins alone)(; nobody reads a field without a line)?$/;
const pathLine = new RegExp(String.raw`^(\w+) +path ([\w.]+): (${hopsPattern})$`);
const nobodyLine = /^(\w+)\.([a-z:]+) +nobody$/;
const fieldName = String.raw`(?:\w+|"\w+")`;
const fieldNames = `${fieldName}(?:, ${fieldName})*`;
/** Fields have no blanks in their names, so that nothing in a condition reads like the end of a line. */
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

/** The line at the head of texts from before `signed_in` was for anyone who signed in: there it is a role like any other. */
const beforeSignedIn = "# model.operation, role (* is everybody, guests included), rows, fields.";

/** Reads the text of `access-matrix.txt`. Lines that it does not know are left out. */
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
    const [, gated = "", field = "", read = "", write = "everybody", preset] = gateLine.exec(line) ?? [];
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
      modelOf(gated).gates.set(field, { read: roleSet(read, named), write: roleSet(write, named) });
      if (preset !== undefined) modelOf(gated).presets.set(field, preset);
    }
  }
  for (const model of models.values()) addGates(model);
  return models;
}

const everybody: ReadonlySet<string> = new Set(["*"]);
const nobody: ReadonlySet<string> = new Set();

/** Who passes at a field, whether it has a gate or not. */
export function gateOf({ gates, closed }: MatrixModel, field: string): Gate {
  return gates.get(field) ?? { read: closed ? nobody : everybody, write: everybody };
}

/** Roles as the matrix spells them that have what a role has, the fewest callers first: itself, anyone who signed in, everyone. */
export function rolesWith(role: string): readonly string[] {
  if (role === everyRole) return [role];
  // A credential may say `guest`; anyone who has none is not a caller who signed in.
  return role === signedInRole || role === guestRole ? [role, everyRole] : [role, signedInRole, everyRole];
}

/** What a role reaches by an operation: the line of a role has all that it shares with others. */
export function reachOfRole(roles: ReadonlyMap<string, Reach> | undefined, role: string): Reach | undefined {
  const holder = rolesWith(role).find((each) => roles?.has(each));
  return holder === undefined ? undefined : roles?.get(holder);
}

/** Whether a gate lets a role pass. */
export function gateAdmits(gate: ReadonlySet<string>, role: string): boolean {
  return rolesWith(role).some((each) => gate.has(each));
}

/** The texts of earlier versions do not tell which relations lead to an internal model. */
const anyJoin: Reach = { rows: allRows, unread: new Set(), unwritten: new Set() };

/** Nor do they have the gates of public models, which show in what each role reaches. */
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

import type { MigrationPlan } from "../migrations/plan.ts";
import { renamed } from "../migrations/renames.ts";
import type { Table } from "../migrations/schema.ts";

/** An operation that a role reaches now and did not reach before. */
export interface WidenedAccess {
  /** `books.fetch` */
  readonly operation: string;
  readonly role: string;
}

/** A field that a role reads or writes now and did not before, by an operation that it ran before. */
export interface WidenedField {
  /** `books.price` */
  readonly field: string;
  readonly gate: "read" | "write";
  readonly role: string;
}

export interface AccessChanges {
  readonly widenedAccess: readonly WidenedAccess[];
  readonly widenedFields: readonly WidenedField[];
}

/** Fields that stay closed to a role in one operation. */
interface Closed {
  readonly read: ReadonlySet<string>;
  readonly write: ReadonlySet<string>;
}

/** Closed fields by operation and role. An operation that nobody runs has no roles. */
type Matrix = ReadonlyMap<string, ReadonlyMap<string, Closed>>;

/** Model, operation, role and the rest of a line of `access-matrix.txt`; a role is one word or a string in quotes. */
const matrixLine = /^([^\s.]+)\.(\S+) +("(?:[^"\\]|\\.)*"|\S+)(.*)$/;

/** The end of a line. Fields have no blanks in their names, so that nothing in a condition reads like it. */
const closedFields = / reads all(?: but ([\w, ]+?))?(?:, writes all(?: but ([\w, ]+))?)?$/;

/**
 * What more roles reach than before. The matrices are the texts of `access-matrix.txt`. An operation that a known model did not
 * have before was open to nobody: a model that was internal, or had no soft delete. New models are reported as such.
 */
export function accessChanges(before: string, after: string, plan: MigrationPlan): AccessChanges {
  const [former, current] = [parsed(before), parsed(after)];
  const models = continuedModels(plan);
  const widenedAccess: WidenedAccess[] = [];
  const widenedFields = new Map<string, WidenedField>();
  for (const [operation, roles] of current) {
    const model = models.get(operation.slice(0, operation.indexOf(".")));
    if (model === undefined) continue;
    const known = former.get(`${model.formerKey}${operation.slice(operation.indexOf("."))}`) ?? new Map();
    for (const [role, closed] of roles) {
      const was = known.get(role) ?? known.get("*");
      if (was === undefined) widenedAccess.push({ operation, role });
      else
        for (const entry of opened(model, was, closed, role)) widenedFields.set(JSON.stringify(entry), entry);
    }
  }
  return { widenedAccess, widenedFields: withoutRepeated([...widenedFields.values()]) };
}

function parsed(matrix: string): Matrix {
  const operations = new Map<string, Map<string, Closed>>();
  for (const line of matrix.split("\n")) {
    const [, model, name, role, rest = ""] = matrixLine.exec(line) ?? [];
    if (model === undefined || name === undefined || role === undefined || line.startsWith("#")) continue;
    const operation = `${model}.${name}`;
    const roles = operations.get(operation) ?? new Map<string, Closed>();
    operations.set(operation, roles);
    const [, unread, unwritten] = closedFields.exec(rest) ?? [];
    if (role !== "nobody") roles.set(role, { read: names(unread), write: names(unwritten) });
  }
  return operations;
}

function names(list: string | undefined): ReadonlySet<string> {
  return new Set(list === undefined ? [] : list.split(", "));
}

/** A model that was there before, perhaps under another key, with fields of other names. */
interface ContinuedModel {
  readonly key: string;
  readonly formerKey: string;
  readonly columns: ReadonlySet<string>;
  /** New names of fields by their former ones. */
  readonly renames: ReadonlyMap<string, string>;
}

function continuedModels({ before, after, renames }: MigrationPlan): Map<string, ContinuedModel> {
  const old = new Map(renamed(before.tables, renames).map((table): [string, Table] => [table.name, table]));
  return new Map(
    after.tables.flatMap((table): [string, ContinuedModel][] => {
      const former = old.get(table.name);
      if (former === undefined) return [];
      const columns = new Set(table.columns.map(({ name }) => name));
      const ofTable = renames.find(({ to }) => to === table.name)?.columns ?? new Map<string, string>();
      return [[table.model, { key: table.model, formerKey: former.model, columns, renames: ofTable }]];
    }),
  );
}

function opened({ key, columns, renames }: ContinuedModel, was: Closed, now: Closed, role: string) {
  return (["read", "write"] as const).flatMap((gate) =>
    [...was[gate]]
      .map((field) => renames.get(field) ?? field)
      .filter((field) => columns.has(field) && !now[gate].has(field))
      .map((field): WidenedField => ({ field: `${key}.${field}`, gate, role })),
  );
}

/** What is open to everybody need not be listed for each role. */
function withoutRepeated(fields: readonly WidenedField[]): WidenedField[] {
  const id = ({ field, gate }: WidenedField) => `${gate} ${field}`;
  const open = new Set(fields.filter(({ role }) => role === "*").map(id));
  return fields.filter((entry) => entry.role === "*" || !open.has(id(entry)));
}

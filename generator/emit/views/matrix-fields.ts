import { coversRole, everyRole } from "../../../vocabulary/accounts/role-names.ts";
import { runtimeColumns } from "../../../vocabulary/fields/runtime-columns.ts";
import type { FieldAccessDefinition, FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
import { widest } from "../../definition/exposed-tools.ts";
import { stringLiteral } from "../literal.ts";
import { matrixLine, none, roleText } from "./matrix-layout.ts";
import { openedColumns } from "./users-extension.ts";

/** The label of fields with a gate that all roles with rows pass. A role that gets rows later does not get these fields. */
export const noFurtherRoles = "no further roles";

/** The label of fields that no role reads. */
export const noRoles = "no roles";

type Gate = "read" | "write";

/** The fields of a model that roles read, or that they write. */
interface FieldTable {
  readonly fields: readonly string[];
  /** The roles that reach rows, in the order of their rules. */
  readonly roles: readonly string[];
  /** Null for everyone who reaches rows. */
  gateOf(field: string): readonly string[] | null;
}

/** The sections `reads` and `writes` of a model. */
export function fieldLines(model: ModelDefinition): string[] {
  const { fields, access, builtIn, readOnly } = model;
  const own = fields.map(({ name }) => name);
  const runtime = runtimeColumns.filter((name) => model.columns[name] !== null);
  const read = [...own, ...runtime].sort();
  const reads = { fields: read, roles: readersOf(model), gateOf: gatesOf(model, "read") };
  const writes = { fields: own.sort(), roles: writersOf(model), gateOf: gatesOf(model, "write") };
  const hasGates = builtIn || access.fields.some((entry) => isGate(entry, fields)) || !isOpen(reads);
  const closed = builtIn ? [] : reads.fields.filter((field) => reads.gateOf(field)?.length === 0);
  return [
    ...section("reads", reads, hasGates ? named(commonOf(reads)) : "all"),
    ...(closed.length === 0 ? [] : [matrixLine(4, noRoles, named(closed))]),
    ...(readOnly || (writes.roles.length === 0 && isOpen(writes))
      ? []
      : section("writes", writes, builtIn ? named(commonOf(writes)) : commonWrites(writes))),
  ];
}

/** Whether an entry is a decision of the app: only the database writes a generated field. */
function isGate({ field, read }: FieldAccessDefinition, fields: readonly FieldDefinition[]): boolean {
  return read !== null || !fields.some(({ name, generated }) => generated && name === field);
}

/** The gate of each field. No role reads a password. A column of the accounts without a gate is closed. */
function gatesOf(model: ModelDefinition, gate: Gate): FieldTable["gateOf"] {
  const declared = model.builtIn ? openedColumns(model) : model.access.fields;
  const roles = new Map(declared.map((entry) => [entry.field, entry[gate]]));
  if (gate === "read")
    for (const { name, kind } of model.fields) if (kind === "password") roles.set(name, []);
  return (field) => {
    const names = roles.get(field) ?? (model.builtIn ? [] : null);
    return names === null || names.includes(everyRole) ? null : widest(names);
  };
}

/** Everyone reaches the rows of an internal model by joins. */
function readersOf({ internal, access: { operations, upsert } }: ModelDefinition): string[] {
  const rules = [...Object.values(operations), upsert.insert, upsert.update].flat();
  return internal ? [everyRole] : rules.map(({ role }) => role);
}

function writersOf({ internal, access: { operations, upsert } }: ModelDefinition): string[] {
  const { create, update, restore } = operations;
  const rules = [...create, ...update, ...upsert.insert, ...upsert.update, ...restore];
  return internal ? [] : rules.map(({ role }) => role);
}

/** The fields that all roles with rows use. */
function commonOf({ fields, roles, gateOf }: FieldTable): string[] {
  return fields.filter((field) => {
    const gate = gateOf(field);
    return gate === null || (roles.length > 0 && roles.every((role) => admits(gate, role)));
  });
}

function admits(gate: readonly string[], role: string): boolean {
  return gate.some((each) => coversRole(each, role));
}

function isOpen({ fields, gateOf }: FieldTable): boolean {
  return fields.every((field) => gateOf(field) === null);
}

/** New fields change no line where callers write all or most of them. */
function commonWrites(writes: FieldTable): string {
  const common = new Set(commonOf(writes));
  const others = writes.fields.filter((field) => !common.has(field));
  return others.length === 0 ? "all" : `all but ${named(others)}`;
}

function section(title: string, table: FieldTable, common: string): string[] {
  const label = widest(table.roles).map(roleText).join(", ") || none;
  const first = label === none && common === none ? [] : [matrixLine(4, label, common)];
  const lines = [...first, ...furtherLines(table)];
  return lines.length === 0 ? [] : [`  ${title}`, ...lines];
}

/** One line for the fields of each gate, with the roles that it admits in addition to those of the first line. */
function furtherLines(table: FieldTable): string[] {
  const common = new Set(commonOf(table));
  const further = new Map<string, string[]>();
  for (const field of table.fields) {
    const gate = table.gateOf(field);
    if (gate === null || (gate.length === 0 && !common.has(field))) continue;
    const roles = common.has(field) ? gate.filter((role) => !admits(table.roles, role)) : gate;
    const label = inOrder(roles, table.roles).map(roleText).join(", ") || noFurtherRoles;
    further.set(label, [...(further.get(label) ?? []), field]);
  }
  return [...further].map(([label, fields]) =>
    matrixLine(4, label, label === noFurtherRoles ? named(fields) : `and ${named(fields)}`),
  );
}

/** Roles in the order of others, so that the order in a gate does not matter. */
function inOrder(roles: readonly string[], others: readonly string[]): string[] {
  const known = [...new Set(others)].filter((role) => roles.includes(role));
  return [...known, ...roles.filter((role) => !known.includes(role)).sort()];
}

/** Names of fields, in quotes if they could be confused with a word of the matrix. */
function named(fields: readonly string[]): string {
  return fields.map((name) => (name === "all" ? stringLiteral(name) : name)).join(", ") || none;
}

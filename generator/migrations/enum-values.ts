import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../vocabulary/json.ts";
import { elementTypeOf } from "../../vocabulary/migrations/catalog.ts";
import type { Column, EnumTypeName, Step } from "../../vocabulary/migrations/migration-steps.ts";
import { consequences } from "./consequences.ts";
import { plannedChange } from "./planned-change.ts";
import type { PlannedChange, Table } from "./schema.ts";

type AddValue = Extract<Step, { readonly step: "add_enum_value" }>;
type RenameValue = Extract<Step, { readonly step: "rename_enum_value" }>;

/** A list of values before and after. PostgreSQL can neither remove nor reorder them. */
interface ValueChanges {
  readonly renames: ReadonlyMap<string, string>;
  /** Values that the list cannot lose or move, in words; null if each change is an addition or a rename. */
  readonly problem: string | null;
}

/** An enum type that columns of a schema have. */
interface EnumType {
  readonly name: EnumTypeName;
  /** The first table that has a column of the type. */
  readonly table: string;
  readonly values: readonly string[];
}

/** The enum type of a column, or of the elements of a list; null for another type. */
export function enumTypeOf({ type, values }: Column): Omit<EnumType, "table"> | null {
  const name = elementTypeOf(type) ?? type;
  return values !== undefined && isEnumTypeName(name) ? { name, values } : null;
}

function isEnumTypeName(name: string): name is EnumTypeName {
  return name.endsWith('"');
}

/** The enum types of tables, by their names. */
export function enumTypes(tables: readonly Table[]): Map<string, EnumType> {
  const types = new Map<string, EnumType>();
  for (const { name: table, columns } of tables)
    for (const type of columns.flatMap((column) => enumTypeOf(column) ?? []))
      if (!types.has(type.name)) types.set(type.name, { ...type, table });
  return types;
}

/** The steps for the values of enum types that are on both sides. Values that only the former side has stay. */
export function changedEnumValues(before: readonly Table[], after: readonly Table[]): PlannedChange[] {
  const types = enumTypes(after);
  return [...enumTypes(before).values()].flatMap((old) => {
    const now = types.get(old.name);
    return now === undefined || isDeepStrictEqual(old.values, now.values) ? [] : stepsOf(old, now.values);
  });
}

/** Additions come first, next to former names: they run before the transaction of the migration. */
function stepsOf({ name: type, table, values: old }: EnumType, now: readonly string[]): PlannedChange[] {
  const { renames } = comparedValues(old, now);
  const former = new Map([...renames].map(([value, to]) => [to, value]));
  const [first = ""] = old;
  const additions = now.flatMap((value, index): AddValue[] => {
    if (old.includes(value) || former.has(value)) return [];
    const previous = now[index - 1];
    const place = previous === undefined ? { before: first } : { after: former.get(previous) ?? previous };
    return [{ step: "add_enum_value", table, type, value, place }];
  });
  return [
    ...additions.map((step) => plannedChange(step, "widening")),
    ...[...renames].map(([value, to]) => {
      const step: RenameValue = { step: "rename_enum_value", table, type, value, to };
      return plannedChange(step, "destructive", consequences.renameValue(value, to));
    }),
  ];
}

/**
 * The tables without columns whose enum types were created again with values that PostgreSQL cannot change the former ones to, and
 * the steps that make these columns.
 */
export function recreatedEnums(
  before: readonly Table[],
  after: readonly Table[],
): { readonly tables: readonly Table[]; readonly changes: readonly PlannedChange[] } {
  const former = enumTypes(before);
  const again = [...enumTypes(after).values()].filter(({ name, values }) => {
    const old = former.get(name);
    return old !== undefined && comparedValues(old.values, values).problem !== null;
  });
  const changes: PlannedChange[] = [];
  let tables = before;
  // One type after the other: the former one is dropped after its last column.
  for (const type of again)
    tables = tables.map((table) => {
      const now = after.find((other) => other.name === table.name);
      const columns = table.columns.map((old) => {
        const column = now?.columns.find((other) => other.name === old.name);
        if (enumTypeOf(old)?.name !== type.name) return old;
        if (column?.type !== old.type) return { ...old, values: type.values };
        const at = { table: table.name, column: column.name, type: column.type };
        const { values } = type;
        const { default: value } = column;
        if (old.default !== undefined)
          changes.push(plannedChange({ step: "set_default", ...at, default: null }, "widening"));
        changes.push(plannedChange({ step: "set_type", ...at, from: column.type, values }, "widening"));
        if (value !== undefined)
          changes.push(plannedChange({ step: "set_default", ...at, default: value }, "widening"));
        const { default: _, ...rest } = old;
        return { ...rest, values, ...(value === undefined ? {} : { default: value }) };
      });
      return { ...table, columns };
    });
  return { tables, changes };
}

/** Compares two lists of values. Values between the same neighbours are renamed if there are as many as before. */
export function comparedValues(old: readonly string[], now: readonly string[]): ValueChanges {
  const kept = old.filter((value) => now.includes(value));
  const renames = new Map<string, string>();
  if (
    !isDeepStrictEqual(
      kept,
      now.filter((value) => old.includes(value)),
    )
  )
    return { renames, problem: `moves ${listed(kept)}` };
  const [formerGaps, gaps] = [gapsOf(old, kept), gapsOf(now, kept)];
  let problem: string | null = null;
  for (const [index, gone] of formerGaps.entries()) {
    const came = gaps[index] ?? [];
    if (gone.length === came.length)
      for (const [at, value] of gone.entries()) renames.set(value, came[at] ?? value);
    else if (gone.length > 0)
      problem ??=
        came.length === 0
          ? `removes ${listed(gone)}`
          : `replaces ${listed(gone)} by ${listed(came)}, so it is not clear which value has a new name`;
  }
  return { renames, problem };
}

/** The values before, between and after the kept ones. */
function gapsOf(values: readonly string[], kept: readonly string[]): string[][] {
  const gaps: string[][] = [[]];
  for (const value of values)
    if (kept.includes(value)) gaps.push([]);
    else gaps.at(-1)?.push(value);
  return gaps;
}

function listed(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

/** The tables after a step on an enum type. */
export function withEnumStep(tables: readonly Table[], step: Step): readonly Table[] {
  if (step.step !== "add_enum_value" && step.step !== "rename_enum_value") return tables;
  const change = (column: Column): Column => {
    const type = enumTypeOf(column);
    if (type?.name !== step.type) return column;
    const renamed = step.step === "rename_enum_value" ? withRenamedDefault(column, step) : column;
    return { ...renamed, values: changedValues(type.values, step) };
  };
  return tables.map((table) => ({ ...table, columns: table.columns.map(change) }));
}

/** PostgreSQL stores the value of a default, not its name. */
function withRenamedDefault(column: Column, { value, to }: RenameValue): Column {
  const { default: held } = column;
  if (typeof held !== "object" || !("literal" in held)) return column;
  const rename = (literal: Json) => (literal === value ? to : literal);
  const literal = Array.isArray(held.literal) ? held.literal.map(rename) : rename(held.literal);
  return { ...column, default: { literal } };
}

function changedValues(values: readonly string[], step: AddValue | RenameValue): readonly string[] {
  if (step.step === "rename_enum_value")
    return values.map((value) => (value === step.value ? step.to : value));
  if (values.includes(step.value)) return values;
  const at =
    "before" in step.place ? values.indexOf(step.place.before) : values.indexOf(step.place.after) + 1;
  return values.toSpliced(Math.max(at, 0), 0, step.value);
}

import type pg from "pg";
import type { Json } from "../../../../vocabulary/json.ts";
import { elementTypeOf } from "../../../../vocabulary/migrations/catalog.ts";
import type { Column, Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import type { Comparison, Difference } from "./difference.ts";

/** The values of enum types by their names, as SQL has them. */
export type EnumValues = ReadonlyMap<string, readonly string[]>;

/** The values of all enum types after some migrations. */
export function expectedValues(migrations: readonly Pick<Migration, "up">[]): EnumValues {
  const types = new Map<string, readonly string[]>();
  for (const step of migrations.flatMap(({ up }) => up)) {
    for (const { type, values } of typedColumns(step))
      if (values !== undefined) types.set(enumName(type), values);
    if (step.step !== "add_enum_value" && step.step !== "rename_enum_value") continue;
    types.set(step.type, changed(types.get(step.type) ?? [], step));
  }
  return types;
}

function changed(
  values: readonly string[],
  step: Extract<Step, { readonly step: "add_enum_value" | "rename_enum_value" }>,
): readonly string[] {
  if (step.step === "rename_enum_value")
    return values.map((value) => (value === step.value ? step.to : value));
  const at =
    "before" in step.place ? values.indexOf(step.place.before) : values.indexOf(step.place.after) + 1;
  return values.toSpliced(at, 0, step.value);
}

/** The values that the types have in the database. Types that do not exist are missing. */
export async function presentValues(client: pg.ClientBase, types: EnumValues): Promise<EnumValues> {
  const { rows } = await client.query<{ type: string; values: string[] }>(
    `select t.type, array(select enumlabel::text from pg_enum where enumtypid = to_regtype(t.type) order by enumsortorder) as values
     from unnest($1::text[]) as t (type) where to_regtype(t.type) is not null`,
    [[...types.keys()]],
  );
  return new Map(rows.map(({ type, values }) => [type, values]));
}

/** The types with other values than expected. Additional ones are harmless: a reverted migration leaves those that it added. */
export function compareValues(expected: EnumValues, present: EnumValues): Comparison {
  const found: Record<keyof Comparison, Difference[]> = { differences: [], notes: [] };
  for (const [type, values] of present) {
    const wanted = expected.get(type) ?? [];
    const [is, known] = [values.join(", "), values.filter((value) => wanted.includes(value)).join(", ")];
    if (is === wanted.join(", ")) continue;
    const place = { kind: "enum", table: type.replaceAll('"', ""), name: null } as const;
    const difference = { ...place, expected: `the values ${wanted.join(", ")}`, actual: is };
    found[known === wanted.join(", ") ? "notes" : "differences"].push(difference);
  }
  return found;
}

/**
 * The steps on types that have their last values already: a comparison must not change the types of the database. Defaults have
 * the last names of their values; without a value that the type lacks.
 */
export function onLastValues(
  migrations: readonly Migration[],
  expected: EnumValues,
  present: EnumValues,
): Migration[] {
  const names = new Map<string, Map<string, string>>();
  const last = (type: string, value: Json): Json => {
    if (Array.isArray(value)) return value.map((element) => last(type, element));
    return typeof value === "string" ? (names.get(type)?.get(value) ?? value) : value;
  };
  const typed = (column: Column): Column => {
    const type = enumName(column.type);
    const values = expected.get(type);
    if (values === undefined) return column;
    const { default: held, ...rest } = { ...column, values };
    if (held === undefined || typeof held !== "object" || !("literal" in held)) return { ...column, values };
    const literal = last(type, held.literal);
    const has = present.get(type) ?? values;
    return [literal].flat().every((value) => value === null || has.includes(String(value)))
      ? { ...rest, default: { literal } }
      : rest;
  };
  const stepOnLast = (step: Step): Step[] => {
    switch (step.step) {
      case "create_table":
        return [{ ...step, columns: step.columns.map(typed) }];
      case "add_column":
        return [{ ...step, column: typed(step.column) }];
      case "set_default": {
        const { default: value } = typed({
          ...defaultOf(step),
          name: step.column,
          type: step.type,
          nullable: true,
        });
        return [{ ...step, default: value ?? null }];
      }
      case "add_enum_value":
        return [];
      case "set_type":
        return step.from === step.type ? [] : [step];
      case "rename_enum_value": {
        const known = names.get(step.type) ?? new Map<string, string>();
        names.set(step.type, known.set(step.value, known.get(step.to) ?? step.to));
        known.delete(step.to);
        return [];
      }
      default:
        return [step];
    }
  };
  // Backwards: a value has the names that later steps give it.
  return migrations
    .toReversed()
    .map((migration) => ({ ...migration, up: migration.up.toReversed().flatMap(stepOnLast).toReversed() }))
    .toReversed();
}

function defaultOf({
  default: value,
}: Extract<Step, { readonly step: "set_default" }>): Pick<Column, "default"> {
  return value === null ? {} : { default: value };
}

function typedColumns(step: Step): readonly Pick<Column, "type" | "values">[] {
  if (step.step === "create_table") return step.columns;
  if (step.step === "add_column") return [step.column];
  return step.step === "set_type" ? [step] : [];
}

function enumName(type: string): string {
  return elementTypeOf(type) ?? type;
}

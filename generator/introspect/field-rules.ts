import { type FieldRule, fieldRuleOf } from "./check-constraints.ts";
import { type Draft, type DraftColumn, fieldOf } from "./draft.ts";
import type { Remark } from "./remarks.ts";

/** What the checks and the types of a table say of its fields. */
export interface FieldRules {
  readonly enums: ReadonlyMap<DraftColumn, EnumRule>;
  readonly minimum: ReadonlyMap<DraftColumn, number>;
  readonly maximum: ReadonlyMap<DraftColumn, number>;
  readonly remarks: readonly Remark[];
}

export interface EnumRule {
  readonly oneOf: readonly (string | number)[];
  /** Name of the check constraint; null where the column has an enum type. */
  readonly check: string | null;
}

/** Reads the enum types and the check constraints of a table. Columns that refer to another table have its values. */
export function fieldRulesOf(draft: Draft, refers: (column: DraftColumn) => boolean): FieldRules {
  const { source, columns } = draft;
  const enums = new Map<DraftColumn, EnumRule>();
  const minimum = new Map<DraftColumn, number>();
  const maximum = new Map<DraftColumn, number>();
  const remarks: Remark[] = [];
  for (const column of columns) {
    const { enumValues } = column.source;
    if (column.place === "field" && enumValues !== null && !refers(column))
      enums.set(column, { oneOf: enumValues, check: null });
  }
  for (const { kind, name, columns: names, definition, validated, enforced } of source.constraints) {
    if (kind !== "check") continue;
    const [only = "", ...more] = names;
    const field = more.length > 0 || !enforced ? null : fieldOf(draft, only);
    const rule = field === null || refers(field) ? null : fieldRuleOf(definition, only, field.type.kind);
    if (
      field !== null &&
      rule !== null &&
      "oneOf" in rule &&
      validated &&
      fits(rule, field) &&
      !enums.has(field)
    ) {
      enums.set(field, { oneOf: rule.oneOf, check: name });
      continue;
    }
    const range = field !== null && rule !== null && !("oneOf" in rule);
    if (range) {
      narrow(minimum, field, rule.minimum, Math.max);
      narrow(maximum, field, rule.maximum, Math.min);
    }
    const outcome = range
      ? "it stays in the database, and the field has its bounds"
      : "it stays in the database alone";
    remarks.push({ table: source.name, what: `check ${name} ${definition.replace(/^CHECK /, "")}`, outcome });
  }
  return { enums, minimum, maximum, remarks };
}

function fits(rule: FieldRule, { type }: DraftColumn): boolean {
  return (
    "oneOf" in rule &&
    rule.oneOf.every(
      (value) => typeof value !== "string" || type.maxLength === null || [...value].length <= type.maxLength,
    )
  );
}

function narrow(
  bounds: Map<DraftColumn, number>,
  field: DraftColumn,
  value: number | null,
  tighter: (a: number, b: number) => number,
): void {
  const former = bounds.get(field);
  if (value !== null) bounds.set(field, former === undefined ? value : tighter(former, value));
}

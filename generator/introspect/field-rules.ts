import type { CatalogConstraint } from "../../vocabulary/migrations/catalog.ts";
import { type FieldRule, fieldRuleOf, tighter } from "./check-constraints.ts";
import { type Draft, type DraftColumn, fieldOf } from "./draft.ts";
import type { Remark } from "./remarks.ts";

/** What the checks and the types of a table say of its fields. */
export interface AdoptedRules {
  readonly enums: ReadonlyMap<DraftColumn, EnumRule>;
  readonly minimum: ReadonlyMap<DraftColumn, number | string>;
  readonly maximum: ReadonlyMap<DraftColumn, number | string>;
  readonly remarks: readonly Remark[];
}

export interface EnumRule {
  readonly oneOf: readonly (string | number)[];
  /** Name of the check constraint; null where the column has an enum type. */
  readonly check: string | null;
}

/** Reads the enum types and the check constraints of a table. Columns that refer to another table have its values. */
export function fieldRulesOf(draft: Draft, refers: (column: DraftColumn) => boolean): AdoptedRules {
  const { source, columns } = draft;
  const found: Found = { enums: new Map(), minimum: new Map(), maximum: new Map() };
  for (const column of columns) {
    const { enumValues } = column.source;
    if (column.place === "field" && enumValues !== null && !refers(column))
      found.enums.set(column, { oneOf: enumValues, check: null });
  }
  const remarks = source.constraints
    .filter(({ kind }) => kind === "check")
    .flatMap((constraint): Remark[] => {
      const { name, columns: names, definition } = constraint;
      const field = names.length === 1 ? fieldOf(draft, names[0] ?? "") : null;
      const outcome = field === null || refers(field) ? alone : readCheck(constraint, field, found);
      const what = `check ${name} ${definition.replace(/^CHECK /, "")}`;
      return outcome === null ? [] : [{ table: source.name, what, outcome }];
    });
  return { ...found, remarks };
}

interface Found {
  readonly enums: Map<DraftColumn, EnumRule>;
  readonly minimum: Map<DraftColumn, number | string>;
  readonly maximum: Map<DraftColumn, number | string>;
}

const alone = "it stays only in the database";

/** Notes what a check says; gives what becomes of it, null where the field says all of it. */
function readCheck(
  { name, columns, definition, validated, enforced }: CatalogConstraint,
  field: DraftColumn,
  { enums, minimum, maximum }: Found,
): string | null {
  const rule = enforced ? fieldRuleOf(definition, columns[0] ?? "", field.type) : null;
  if (rule === null) return alone;
  if (!("oneOf" in rule)) {
    narrow(minimum, field, rule.minimum, "minimum");
    narrow(maximum, field, rule.maximum, "maximum");
    return "it stays in the database, and the field has its bounds";
  }
  if (!validated || enums.has(field) || !fits(rule, field)) return alone;
  enums.set(field, { oneOf: rule.oneOf, check: name });
  return null;
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
  bounds: Map<DraftColumn, number | string>,
  field: DraftColumn,
  value: number | string | null,
  side: "minimum" | "maximum",
): void {
  const former = bounds.get(field);
  if (value !== null) bounds.set(field, former === undefined ? value : tighter(former, value, side));
}

import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import { anyItems } from "../../vocabulary/field-schema.ts";
import type { Json } from "../../vocabulary/json.ts";
import { literalDefault } from "./default-values.ts";
import type { Draft, DraftColumn } from "./draft.ts";
import type { FieldRules } from "./field-rules.ts";
import type { Remark } from "./remarks.ts";

export interface FieldDefaults {
  readonly defaults: ReadonlyMap<DraftColumn, Json>;
  readonly remarks: readonly Remark[];
}

/** Reads the defaults of the fields of a table. */
export function fieldDefaultsOf(
  draft: Draft,
  rules: FieldRules,
  kindOf: (column: DraftColumn) => FieldKind,
): FieldDefaults {
  const defaults = new Map<DraftColumn, Json>();
  const remarks: Remark[] = [];
  for (const column of draft.columns) {
    const { source, place, type } = column;
    if (place !== "field" || source.default === null) continue;
    const value = literalDefault(source.default, {
      kind: kindOf(column),
      enum: rules.enums.get(column)?.oneOf ?? null,
      minimum: rules.minimum.get(column) ?? null,
      maximum: rules.maximum.get(column) ?? null,
      minLength: null,
      maxLength: type.maxLength,
      pattern: null,
      decimal: type.decimal,
      items: type.elements === null ? null : anyItems,
    });
    if (value === undefined) remarks.push(defaultRemark(draft.source.name, column, source.default));
    else if (value !== null) defaults.set(column, value);
  }
  return { defaults, remarks };
}

function defaultRemark(table: string, { source, name }: DraftColumn, expression: string): Remark {
  const outcome = source.nullable
    ? "it stays for other programs; the service stores null where a request sends none"
    : `it stays for other programs; requests must send ${name}, or a before_create hook sets it`;
  return { table, what: `default of ${source.name}, ${expression}`, outcome };
}

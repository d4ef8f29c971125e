import { type DbLimits, type DbType, limitsOfDbType } from "../../vocabulary/fields/db-types.ts";
import { type DecimalSize, decimalText, int64Text } from "../../vocabulary/fields/exact-numbers.ts";
import { elementKindOf, type FieldKind, isExactKind } from "../../vocabulary/fields/field-kinds.ts";
import { anyItems, type ListBounds } from "../../vocabulary/fields/field-schema.ts";
import { presetOf } from "../../vocabulary/fields/presets.ts";
import type { Json } from "../../vocabulary/json.ts";
import { defaults } from "../definition/defaults.ts";
import type { FieldDefinition, ForeignKeyDefinition, PresetDefinition } from "../definition/definition.ts";
import { tableKeyName } from "../definition/names.ts";
import { checkType, type ValueRules } from "../definition/values.ts";
import type { RawField } from "../load/raw.ts";
import { formOf, isNullable, type ModelGraph, type ModelNode } from "./model-graph.ts";
import { dbTypeOf, resolveStoredField } from "./resolve-stored.ts";

/** The constraints of a column. The kind is null if a broken reference leaves it unknown. */
export type ColumnRules = Omit<ValueRules, "kind"> & { readonly kind: FieldKind | null };

const unbounded = {
  enum: null,
  minimum: null,
  maximum: null,
  minLength: null,
  maxLength: null,
  pattern: null,
  decimal: null,
  items: null,
} as const;

/** The physical table of a model. */
export function tableOf(node: ModelNode): string {
  return node.raw.table?.value ?? node.raw.key;
}

/** The constraints of a column, from its field and its physical type. A foreign key has only kind and sizes of its target. */
export function columnRules(graph: ModelGraph, node: ModelNode, column: string): ColumnRules {
  const kind = node.kinds.get(column) ?? null;
  const field = node.fields.get(column);
  // Without a kind, the references can form a circle.
  const type = kind === null ? null : dbTypeOf(graph, node, column);
  const limits = type === null ? noLimits : limitsOfDbType(type);
  if (field === undefined) return { ...unbounded, ...idLengths(kind, limits), kind };
  const decimal = sizeOf(kind, field, type);
  if (formOf(field) !== "belongs_to") {
    return {
      kind,
      enum: field.enum === null ? null : field.enum.flatMap(({ value }) => enumValue(kind, decimal, value)),
      minimum: greater(boundOf(kind, decimal, field.minimum?.value), limits.minimum),
      maximum: less(boundOf(kind, decimal, field.maximum?.value), limits.maximum),
      minLength: field.minLength?.value ?? null,
      maxLength:
        shorter(field.maxLength?.value ?? null, limits.maxLength) ??
        (heldKindOf(kind) === "string" ? defaults.stringLength : null),
      pattern: field.pattern?.value ?? null,
      decimal,
      items: itemsOf(kind, field),
    };
  }
  const { minimum, maximum } = limits;
  const target = graph.get(field.relationship?.model?.value ?? "");
  if ((kind !== "string" && kind !== "decimal") || target === undefined)
    return { ...unbounded, kind, minimum, maximum };
  const rules = columnRules(graph, target, field.relationship?.foreignKey?.value ?? "id");
  return {
    ...unbounded,
    kind,
    maxLength: shorter(rules.maxLength, limits.maxLength),
    decimal: rules.decimal,
  };
}

const noLimits = { maxLength: null, minimum: null, maximum: null } as const;

type Limits = Pick<DbLimits, "maxLength" | "minimum" | "maximum">;

/** An id that is a text has 1 to 255 characters. */
function idLengths(kind: FieldKind | null, { maxLength }: Limits) {
  return kind === "string" ? { minLength: 1, maxLength: shorter(defaults.stringLength, maxLength) } : null;
}

function shorter(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The narrower one of a field's bound and of its type's. Types of exact kinds have no bounds. */
function greater(bound: number | string | null, limit: number | null): number | string | null {
  return limit !== null && (typeof bound !== "number" || bound < limit) ? limit : bound;
}

function less(bound: number | string | null, limit: number | null): number | string | null {
  return limit !== null && (typeof bound !== "number" || bound > limit) ? limit : bound;
}

/** The kind of a value, or of the elements of a list. */
function heldKindOf(kind: FieldKind | null): FieldKind | null {
  return kind === null ? null : (elementKindOf(kind) ?? kind);
}

/** The digits of a decimal; null for other kinds, and for a `numeric` without a size. */
function sizeOf(kind: FieldKind | null, field: RawField, type: DbType | null): DecimalSize | null {
  if (heldKindOf(kind) !== "decimal") return null;
  if (field.precision === null && type !== null) return limitsOfDbType(type).decimal;
  return { precision: field.precision?.value ?? defaults.precision, scale: field.scale?.value ?? 0 };
}

function itemsOf(kind: FieldKind | null, field: RawField): ListBounds | null {
  if (kind === null || elementKindOf(kind) === null) return null;
  return {
    least: field.minItems?.value ?? anyItems.least,
    most: field.maxItems?.value ?? anyItems.most,
    unique: field.uniqueItems,
  };
}

/** A bound in canonical form: text for exact kinds. */
function boundOf(
  kind: FieldKind | null,
  decimal: DecimalSize | null,
  bound: number | string | undefined,
): number | string | null {
  const held = heldKindOf(kind);
  if (bound === undefined) return null;
  if (held !== null && isExactKind(held)) return exactText(decimal, bound);
  return typeof bound === "number" ? bound : null;
}

function enumValue(kind: FieldKind | null, decimal: DecimalSize | null, value: Json): (string | number)[] {
  const held = heldKindOf(kind);
  if (typeof value !== "string" && typeof value !== "number") return [];
  return held !== null && isExactKind(held) ? [exactText(decimal, value) ?? value] : [value];
}

function exactText(decimal: DecimalSize | null, value: string | number): string | null {
  return decimal === null ? int64Text(value) : decimalText(value, decimal);
}

/** Resolves a field with a column. It has passed the checks. */
export function resolveField(graph: ModelGraph, node: ModelNode, field: RawField): FieldDefinition {
  const { kind, ...rules } = columnRules(graph, node, field.name);
  if (kind === null)
    throw new Error(`field ${node.raw.key}.${field.name} has no kind, yet passed the checks`);
  const [fallback, preset] = [defaultOf({ kind, decimal: rules.decimal }, field), presetDefinition(field)];
  const stored = resolveStoredField(field, dbTypeOf(graph, node, field.name), { kind, ...rules });
  const isFilled = fallback !== null || preset !== null || stored.sqlDefault || stored.generated;
  return {
    name: field.name,
    kind,
    description: field.description,
    renamedFrom: field.renamedFrom?.value ?? null,
    ...rules,
    required: field.required && !isFilled,
    nullable: isNullable(field),
    ...(fallback === null ? {} : { default: fallback }),
    ...(preset === null ? {} : { preset }),
    searchable: field.searchable,
    foreignKey: foreignKeyOf(graph, node, field),
    ...stored,
  };
}

function defaultOf(rules: Pick<ValueRules, "kind" | "decimal">, field: RawField): Json {
  if (field.default === null || field.default.value === null) return null;
  const checked = checkType(rules, field.default.value);
  return "value" in checked ? checked.value : null;
}

function presetDefinition({ preset, presetOnWrite, required }: RawField): PresetDefinition | null {
  const value = preset === null ? null : presetOf(preset.value);
  return value === null ? null : { value, on: presetOnWrite ? "write" : "create", required };
}

function foreignKeyOf(graph: ModelGraph, node: ModelNode, field: RawField): ForeignKeyDefinition | null {
  const target = graph.get(field.relationship?.model?.value ?? "");
  if (formOf(field) !== "belongs_to" || target === undefined) return null;
  const onDelete = field.relationship?.onDelete?.value;
  return {
    name: tableKeyName([tableOf(node), field.name], "fkey"),
    model: target.raw.key,
    table: tableOf(target),
    column: field.relationship?.foreignKey?.value ?? "id",
    onDelete: onDelete === "cascade" || onDelete === "set_null" ? onDelete : "restrict",
  };
}

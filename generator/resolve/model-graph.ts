import { type FieldKind, kindOfType } from "../../vocabulary/fields/field-kinds.ts";
import {
  isRuntimeColumn,
  type RuntimeColumn,
  runtimeColumns,
} from "../../vocabulary/fields/runtime-columns.ts";
import type { RelationDefinition } from "../definition/definition.ts";
import { idKinds } from "../definition/stored.ts";
import type { RawCondition, RawField, RawModel } from "../load/raw.ts";

/** A field: a column, or one side of a relationship. */
export type FieldForm = "column" | "belongs_to" | "has_many" | "has_one";

/** A model with its links to other models. Invalid input gives an incomplete node: unresolved parts are left out. */
export interface ModelNode {
  readonly raw: RawModel;
  readonly fields: ReadonlyMap<string, RawField>;
  /** Runtime columns first, then fields with a column. Null if a broken reference leaves the kind unknown. */
  readonly kinds: ReadonlyMap<string, FieldKind | null>;
  /** Joins by name, in declared order. */
  readonly relations: ReadonlyMap<string, RelationDefinition>;
}

/** The models by key, and the named conditions of all of them by name. */
export interface ModelGraph extends ReadonlyMap<string, ModelNode> {
  readonly conditions: ReadonlyMap<string, RawCondition>;
}

export function formOf(field: RawField): FieldForm {
  const type = field.type?.value;
  if (type === "has_many" || type === "has_one") return type;
  return type === "belongs_to" || field.foreignKey?.value === true ? "belongs_to" : "column";
}

export function hasColumn(field: RawField): boolean {
  const form = formOf(field);
  return form === "column" || form === "belongs_to";
}

/** Whether the field can be null: as declared, otherwise the opposite of `required`. */
export function isNullable(field: RawField): boolean {
  return field.nullable ?? !field.required;
}

/** Whether the table has a runtime column. */
export function hasRuntimeColumn(
  { columns, softDelete }: Pick<RawModel, "columns" | "softDelete">,
  column: RuntimeColumn,
): boolean {
  return (column !== "deleted_at" || softDelete) && columns.get(column)?.value !== null;
}

/** Names of the fields that are unique by themselves, `id` included. */
export function uniqueFields(model: RawModel): ReadonlySet<string> {
  const single = model.unique.flatMap(({ fields }) =>
    fields.length === 1 ? fields.map(({ value }) => value) : [],
  );
  return new Set([
    ...(hasRuntimeColumn(model, "id") ? ["id"] : []),
    ...model.fields.filter((field) => field.unique).map((field) => field.name),
    ...single,
  ]);
}

/** Links models to each other: kinds of foreign keys, and joins with their names. */
export function buildGraph(
  models: readonly RawModel[],
  conditions: readonly RawCondition[] = [],
): ModelGraph {
  const byKey = new Map(
    models.map((raw) => [raw.key, { raw, fields: new Map(raw.fields.map((f) => [f.name, f])) }]),
  );
  const kindIn = (model: string, column: string, seen: ReadonlySet<string>): FieldKind | null => {
    const target = byKey.get(model);
    const place = `${model}.${column}`;
    if (target === undefined || seen.has(place)) return null;
    const runtime = runtimeKind(target.raw, column);
    if (runtime !== null) return runtime;
    const field = target.fields.get(column);
    if (field === undefined || formOf(field) !== "belongs_to")
      return field === undefined ? null : kindOfType(field.type?.value ?? "");
    const { model: next, foreignKey } = field.relationship ?? { model: null, foreignKey: null };
    return next === null ? null : kindIn(next.value, foreignKey?.value ?? "id", new Set([...seen, place]));
  };
  const nodes = new Map(
    [...byKey].map(([key, { raw, fields }]) => {
      const columns = [...columnNames(raw)].map((name) => [name, kindIn(key, name, new Set())] as const);
      return [key, { raw, fields, kinds: new Map(columns), relations: relationsOf(raw, byKey) }] as const;
    }),
  );
  return Object.assign(nodes, { conditions: new Map(conditions.map((each) => [each.name, each])) });
}

function columnNames(model: RawModel): Set<string> {
  const runtime = runtimeColumns.filter((name) => hasRuntimeColumn(model, name));
  return new Set([...runtime, ...model.fields.filter(hasColumn).map((field) => field.name)]);
}

function runtimeKind(model: RawModel, column: string): FieldKind | null {
  if (!isRuntimeColumn(column) || !hasRuntimeColumn(model, column)) return null;
  return column === "id" ? idKinds[model.idType] : "datetime";
}

type Models = ReadonlyMap<string, { readonly raw: RawModel; readonly fields: ReadonlyMap<string, RawField> }>;

function relationsOf(model: RawModel, models: Models): Map<string, RelationDefinition> {
  const taken = new Set<string>([...runtimeColumns, ...model.fields.map((field) => field.name)]);
  const relations = model.fields.flatMap((field) => {
    const relation = relationOf(field, models, taken);
    return relation === null ? [] : [[relation.name, relation] as const];
  });
  return new Map(relations);
}

function relationOf(field: RawField, models: Models, taken: ReadonlySet<string>): RelationDefinition | null {
  const kind = formOf(field);
  const target = models.get(field.relationship?.model?.value ?? "");
  if (kind === "column" || target === undefined) return null;
  const foreign = field.relationship?.foreignKey?.value;
  const model = target.raw.key;
  if (kind === "belongs_to") {
    return { name: joinName(field.name, taken), kind, field: field.name, model, references: foreign ?? "id" };
  }
  const back = target.fields.get(foreign ?? "");
  if (back === undefined) return null;
  return {
    name: field.name,
    kind,
    field: back.relationship?.foreignKey?.value ?? "id",
    model,
    references: back.name,
  };
}

/** `author` for `author_id` if no field has that name, otherwise the field's name. */
function joinName(field: string, taken: ReadonlySet<string>): string {
  const short = field.endsWith("_id") ? field.slice(0, -"_id".length) : field;
  return taken.has(short) ? field : short;
}

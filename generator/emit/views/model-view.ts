import { elementKindOf, type FieldKind, fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import type { CreatingOperation } from "../../../vocabulary/hook-names.ts";
import type { FieldDefinition, ModelDefinition, PresetDefinition } from "../../definition/definition.ts";
import { idKinds, isAnsweredNull, keyField } from "../../definition/stored.ts";
import { type Import, importFromKirak } from "../file.ts";
import { docComment, literal, propertyName, stringLiteral } from "../literal.ts";
import { keysWithId, storedField, storedModel } from "./stored-view.ts";

/** The view of `templates/model.hbs`: the model as data, and its types. */
export interface ModelView {
  readonly imports: readonly Import[];
  readonly key: string;
  readonly typeName: string;
  readonly table: string;
  readonly slug: string;
  readonly id: string;
  /** How the table differs from a table that Kirak makes, as properties. */
  readonly stored: readonly EntryView[];
  readonly softDelete: boolean;
  readonly maxLimit: number;
  readonly fields: readonly EntryView[];
  readonly relations: readonly EntryView[];
  readonly uniqueKeys: readonly string[];
  readonly foreignKeys: readonly string[];
  /** Null if there are none. */
  readonly checks: readonly string[] | null;
  readonly doc: string | null;
  readonly type: string;
  readonly row: readonly PropertyView[];
  readonly create: readonly PropertyView[];
  /** The input type of an update. */
  readonly update: string;
  /** The input type of an upsert. */
  readonly upsert: string;
  /** The types of request bodies. */
  readonly sent: Readonly<Record<CreatingOperation, string>>;
  /** The type of a create without fields; null if it has some. */
  readonly emptyCreate: string | null;
}

/** A property of an object, as code. */
export interface EntryView {
  readonly name: string;
  readonly literal: string;
}

/** A property of a type. */
export interface PropertyView {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  readonly doc: string | null;
}

/** The view of `models/<key>/model.ts`. */
export function modelView(model: ModelDefinition): ModelView {
  const properties = propertiesView(model.fields, model.filled.create ?? []);
  const isEmpty = !takesId(model) && sentFields(model).length === 0;
  const json = usesJson(model.fields) ? ["type Json"] : [];
  return {
    imports: [
      { from: importFromKirak("hooks"), names: ["Hooks"], typeOnly: true },
      { from: importFromKirak("model"), names: ["defineModel", ...json, ...queryTypes] },
    ],
    key: stringLiteral(model.key),
    typeName: stringLiteral(model.typeName),
    table: stringLiteral(model.table),
    slug: stringLiteral(model.slug),
    id: stringLiteral(idKinds[model.idType]),
    stored: Object.entries(storedModel(model)).map(([name, value]) => ({ name, literal: literal(value) })),
    softDelete: model.softDelete,
    maxLimit: model.maxLimit,
    ...partsView({ ...model, uniqueKeys: keysWithId(model) }),
    checks: checksView(model),
    doc: docComment(model.description),
    type: model.typeName,
    row: [...idProperty(model, model.columns.id !== null), ...properties.row, ...timesOf(model)],
    create: [...idProperty(model, takesId(model), !model.idSent), ...properties.create],
    update: updateType(model),
    upsert: upsertType(model),
    sent: sentTypes(model),
    emptyCreate: model.readOnly ? "never" : isEmpty ? "Record<string, never>" : null,
  };
}

/** The TypeScript type of ids. */
function idTypeOf({ idType }: ModelDefinition): string {
  return fieldKinds[idKinds[idType]].typescript;
}

/** Whether a create can have an id: callers send it, or can choose a UUID. */
function takesId({ idSent, idType, readOnly }: ModelDefinition): boolean {
  return !readOnly && (idSent || idType === "uuid");
}

/** The fields that a record of a request can have. */
function sentFields({ readOnly, fields }: ModelDefinition): readonly FieldDefinition[] {
  return readOnly ? [] : fields.filter(({ generated }) => !generated);
}

function idProperty(model: ModelDefinition, isThere: boolean, optional = false): PropertyView[] {
  return isThere ? [{ name: "id", optional, type: idTypeOf(model), doc: null }] : [];
}

function timesOf({ columns }: ModelDefinition): PropertyView[] {
  return (["created_at", "updated_at", "deleted_at"] as const).flatMap((name) => {
    const column = columns[name];
    if (column === null) return [];
    return [{ name, optional: false, type: isAnsweredNull(column) ? "string | null" : "string", doc: null }];
  });
}

const queryTypes = ["type OrderBy", "type Selection", "type Where"];

/** Whether the types of fields need the import `Json` from `kirak/model`. */
export function usesJson(fields: readonly FieldDefinition[]): boolean {
  return fields.some(({ kind }) => kind === "json");
}

type Parts = Pick<ModelDefinition, "fields" | "relations" | "uniqueKeys">;

/** The parts of a model that an app can extend. */
export function partsView({ fields, relations, uniqueKeys }: Parts) {
  return {
    fields: fields.map(fieldView),
    relations: relations.map(({ name, kind, field, model, references }) => ({
      name: propertyName(name),
      literal: literal({ kind, field, model, references }),
    })),
    uniqueKeys: uniqueKeys.map(({ name, fields: of }) => literal({ name, fields: of })),
    foreignKeys: fields.flatMap(({ name, foreignKey }) =>
      foreignKey === null ? [] : [literal({ name: foreignKey.name, field: name })],
    ),
  };
}

function checksView({ checks }: ModelDefinition): string[] | null {
  if (checks.length === 0) return null;
  return checks.map(({ constraint, name, field, message }) => literal({ constraint, name, field, message }));
}

function fieldView(field: FieldDefinition): EntryView {
  const { kind, nullable, searchable } = field;
  const options = {
    ...(nullable ? { nullable } : {}),
    ...(field.enum === null ? {} : { enum: field.enum }),
    ...(field.decimal === null ? {} : { decimal: field.decimal }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.preset === undefined ? {} : { preset: presetView(field.preset) }),
    ...(searchable ? { searchable } : {}),
    ...storedField(field),
  };
  return { name: propertyName(field.name), literal: literal({ kind, ...options }) };
}

function presetView({ value, on, required }: PresetDefinition) {
  return { ...value, ...(on === "write" ? { on } : {}), ...(required ? { required } : {}) };
}

/** The input type has no id, and no field with its column: `where` selects the rows. */
function updateType(model: ModelDefinition): string {
  if (model.readOnly) return "never";
  const key = keyField(model);
  const fixed = [...(takesId(model) ? ["id"] : []), ...(key === null ? [] : [key.name])];
  const create = `${model.typeName}Create`;
  return fixed.length === 0 ? `Partial<${create}>` : `Partial<Omit<${create}, ${union(fixed)}>>`;
}

function union(names: readonly string[]): string {
  return names.map(stringLiteral).join(" | ");
}

/** An upsert can have the id of a row, and its before-hook can fill in other fields than the hook of a create. */
function upsertType(model: ModelDefinition): string {
  if (model.readOnly) return "never";
  const { typeName, filled } = model;
  const [create, upsert] = [filled.create ?? [], filled.upsert ?? []];
  const sent = `${typeName}Create`;
  const [more, fewer] = [
    create.filter((name) => !upsert.includes(name)),
    upsert.filter((name) => !create.includes(name)),
  ];
  const base =
    fewer.length === 0 ? sent : `Omit<${sent}, ${union(fewer)}> & Partial<Pick<${sent}, ${union(fewer)}>>`;
  const demanded = more.length === 0 ? base : `${base} & Required<Pick<${sent}, ${union(more)}>>`;
  if (takesId(model) || keyField(model) !== null) return demanded;
  const id = `{ id?: ${idTypeOf(model)} }`;
  return sentFields(model).length === 0 ? id : `${demanded} & ${id}`;
}

/** If a before-hook does not declare which fields it fills in, all fields are optional in the body. */
function sentTypes({ typeName, filled }: ModelDefinition): Record<CreatingOperation, string> {
  const of = (operation: CreatingOperation, name: string) =>
    filled[operation] === null ? `Partial<${typeName}${name}>` : `${typeName}${name}`;
  return { create: of("create", "Create"), upsert: of("upsert", "Upsert") };
}

/** The properties of a row, and of a create body, in which fields that hooks fill in are optional. */
export function propertiesView(fields: readonly FieldDefinition[], filled: readonly string[] = []) {
  return {
    row: fields.filter(({ kind }) => kind !== "password").map(rowProperty),
    create: fields.filter(({ generated }) => !generated).map((field) => createProperty(field, filled)),
  };
}

function rowProperty(field: FieldDefinition): PropertyView {
  return {
    name: propertyName(field.name),
    optional: false,
    type: typeOf(field, isAnsweredNull(field)),
    doc: docComment(field.description),
  };
}

function createProperty(field: FieldDefinition, filled: readonly string[]): PropertyView {
  const optional = !field.required || filled.includes(field.name);
  return { name: propertyName(field.name), optional, type: typeOf(field), doc: null };
}

function typeOf(field: FieldDefinition, nullable = field.nullable): string {
  const base = field.enum === null ? fieldKinds[field.kind].typescript : enumType(field.kind, field.enum);
  // `Json` already includes null.
  return nullable && field.kind !== "json" ? `${base} | null` : base;
}

function enumType(kind: FieldKind, allowed: readonly (string | number)[]): string {
  const values = allowed.map(literal).join(" | ");
  if (elementKindOf(kind) === null) return values;
  return allowed.length === 1 ? `${values}[]` : `(${values})[]`;
}

import { fieldKinds } from "../../../vocabulary/field-kinds.ts";
import type { FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { docComment, literal, propertyName, stringLiteral } from "../literal.ts";

/** What `templates/model.hbs` prints: the model as data, and its types. */
export interface ModelView {
  readonly imports: readonly Import[];
  readonly key: string;
  readonly typeName: string;
  readonly table: string;
  readonly slug: string;
  readonly id: string;
  readonly idType: string;
  readonly softDelete: boolean;
  readonly maxLimit: number;
  readonly fields: readonly FieldView[];
  readonly relations: readonly RelationView[];
  readonly uniqueKeys: readonly string[];
  readonly foreignKeys: readonly string[];
  readonly doc: string | null;
  readonly type: string;
  /** The type of the model's hooks, of the door `kirak/hooks`. */
  readonly hooks: string;
  readonly row: readonly PropertyView[];
  readonly create: readonly PropertyView[];
  readonly idInCreate: boolean;
  /** A create takes no field at all. */
  readonly nothingToCreate: boolean;
}

interface FieldView {
  readonly name: string;
  readonly kind: string;
  readonly nullable: boolean;
  readonly enum: string | null;
  readonly default: string | null;
  readonly searchable: boolean;
}

interface RelationView {
  readonly name: string;
  readonly literal: string;
}

interface PropertyView {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  readonly doc: string | null;
}

/** The view of `models/<key>/model.ts`. */
export function modelView(model: ModelDefinition): ModelView {
  return {
    imports: [
      { from: door("hooks"), names: [hooksOf(model)], typeOnly: true },
      { from: door("model"), names: importsOf(model) },
    ],
    key: stringLiteral(model.key),
    typeName: stringLiteral(model.typeName),
    table: stringLiteral(model.table),
    slug: stringLiteral(model.slug),
    id: stringLiteral(model.idType === "uuid" ? "uuid" : "bigint"),
    idType: model.idType === "uuid" ? "string" : "number",
    softDelete: model.softDelete,
    maxLimit: model.maxLimit,
    fields: model.fields.map(fieldView),
    relations: model.relations.map(({ name, kind, field, model: joined, references }) => ({
      name: propertyName(name),
      literal: literal({ kind, field, model: joined, references }),
    })),
    uniqueKeys: model.uniqueKeys.map(({ name, fields }) => literal({ name, fields })),
    foreignKeys: model.fields.flatMap(({ name, foreignKey }) =>
      foreignKey === null ? [] : [literal({ name: foreignKey.name, field: name })],
    ),
    doc: docComment(model.description),
    type: model.typeName,
    hooks: hooksOf(model),
    row: model.fields.filter((field) => field.kind !== "password").map(rowProperty),
    create: model.fields.map(createProperty),
    idInCreate: model.idType === "uuid",
    nothingToCreate: model.idType !== "uuid" && model.fields.length === 0,
  };
}

function importsOf(model: ModelDefinition): string[] {
  const json = model.fields.some((field) => field.kind === "json") ? ["type Json"] : [];
  const types = ["OrderBy", "Selection", "Where"].map((name) => `type ${name}`);
  return ["defineModel", ...json, ...types];
}

/** The accounts have events of their own. */
function hooksOf({ builtIn }: ModelDefinition): string {
  return builtIn === null ? "Hooks" : "AuthHooks";
}

function fieldView(field: FieldDefinition): FieldView {
  return {
    name: propertyName(field.name),
    kind: stringLiteral(field.kind),
    nullable: field.nullable,
    enum: field.enum === null ? null : literal(field.enum),
    default: field.default === undefined ? null : literal(field.default),
    searchable: field.searchable,
  };
}

function rowProperty(field: FieldDefinition): PropertyView {
  return {
    name: propertyName(field.name),
    optional: false,
    type: typeOf(field),
    doc: docComment(field.description),
  };
}

function createProperty(field: FieldDefinition): PropertyView {
  return { name: propertyName(field.name), optional: !field.required, type: typeOf(field), doc: null };
}

function typeOf(field: FieldDefinition): string {
  const base = field.enum === null ? fieldKinds[field.kind].typescript : field.enum.map(literal).join(" | ");
  // `Json` has null in it already.
  return field.nullable && field.kind !== "json" ? `${base} | null` : base;
}

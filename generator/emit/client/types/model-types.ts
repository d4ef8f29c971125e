import type { DocumentSchema, OpenApiDocument, Part } from "../../../../vocabulary/openapi/document.ts";
import type { Operation } from "../../../../vocabulary/operations.ts";
import { stringLiteral } from "../../literal.ts";
import { type ClientModel, idSchemaIn } from "../document-operations.ts";
import { descriptionOf, isDocumentSchema, isList, isPart, propertiesIn, requiredIn } from "../json-parts.ts";
import { interfaceText, memberTexts } from "./declarations.ts";
import type { ErrorCodes } from "./error-types.ts";
import { type Property, unionType } from "./schema-types.ts";
import type { TypeNames } from "./type-names.ts";
import { whereText } from "./where-types.ts";

/** What the types of a model are made of. */
interface ModelParts {
  readonly model: ClientModel;
  readonly schemaOf: (suffix: string) => DocumentSchema | undefined;
  readonly id: Part | null;
  readonly names: TypeNames;
  readonly codes: ErrorCodes;
}

/** Ends of the names of a model's types. */
const suffixes = ["", "Input", "Create", "Update", "Upsert", "Where", "Field", "Api"];

/** The names of all types of some models. */
export function modelTypeNames(models: readonly ClientModel[]): string[] {
  return models.flatMap(({ name }) => suffixes.map((suffix) => name + suffix));
}

/** The types of a model: rows, bodies, filters, methods. */
export function modelTypes(
  document: OpenApiDocument,
  model: ClientModel,
  names: TypeNames,
  codes: ErrorCodes,
): string[] {
  const parts = {
    model,
    names,
    codes,
    schemaOf: (suffix: string) => document.components.schemas[model.name + suffix],
    id: idSchemaIn(document, model),
  };
  return [rowText(parts), ...inputTexts(parts), ...filterTexts(parts), apiText(parts)].filter(
    (text) => text !== "",
  );
}

/** A field behind a read gate is optional. The document of one role has no notes and only fields that the role reads. */
function rowText({ model: { name }, schemaOf, names }: ModelParts): string {
  const part = schemaOf("Part");
  if (!isPart(part)) return "";
  const fields = Object.entries(propertiesIn(part)).map(([field, schema]): Property => {
    const type = isDocumentSchema(schema) ? names.typeOf(schema, "answered") : "unknown";
    const isGated = isPart(schema) && schema["x-kirak-read"] !== undefined;
    return { name: field, type, required: !isGated, description: descriptionOf(schema) };
  });
  return interfaceText({ name, about: descriptionOf(part) }, memberTexts(fields, "answered"));
}

function inputTexts(parts: ModelParts): string[] {
  const { model, schemaOf } = parts;
  const fields = inputFields(parts);
  if (fields === null) return [];
  const parent = `${model.name}Input`;
  const bodies = ["Create", "Update", "Upsert"].flatMap((suffix) => {
    const schema = schemaOf(suffix);
    if (schema === undefined) return [];
    const members = memberTexts(ownFields(schema, fields, parts), "sent");
    return [interfaceText({ name: model.name + suffix, parents: [parent] }, members)];
  });
  return [interfaceText({ name: parent }, memberTexts(fields, "sent")), ...bodies];
}

/** All fields that can be written; null without a body. */
function inputFields({ schemaOf, names }: ModelParts): Property[] | null {
  const input = schemaOf("Input");
  if (input === undefined) return null;
  const rows = propertiesIn(schemaOf("Part"));
  return Object.entries(propertiesIn(input)).map(([name, schema]) => ({
    name,
    type: isDocumentSchema(schema) ? names.typeOf(schema, "sent") : "unknown",
    required: false,
    description: descriptionOf(schema) ?? descriptionOf(rows[name]),
  }));
}

/** The fields that a body requires, and those that only it has, such as the id. */
function ownFields(schema: DocumentSchema, fields: readonly Property[], { names }: ModelParts): Property[] {
  const required = requiredIn(schema);
  return Object.entries(propertiesIn(schema)).flatMap(([name, one]): Property[] => {
    const known = fields.find((field) => field.name === name);
    const written = known?.type ?? (isDocumentSchema(one) ? names.typeOf(one, "sent") : "unknown");
    // An update cannot have a field with the column of the id.
    const type = one === false ? "never" : written;
    return [{ name, type, required: required.includes(name) }];
  });
}

function filterTexts({ model: { name, operations }, schemaOf, names }: ModelParts): string[] {
  const fields = schemaOf("Field");
  const values = isPart(fields) ? fields["enum"] : undefined;
  const isFiltered = [...operations.keys()].some(
    (operation) => operation !== "create" && operation !== "upsert",
  );
  return [
    ...(isFiltered ? [whereText(`${name}Where`, schemaOf("Filter"), names)] : []),
    ...(isList(values)
      ? [`export type ${name}Field = ${unionType(values.map((value) => stringLiteral(String(value))))};`]
      : []),
  ];
}

/** The interfaces of the methods of each operation, in `templates/client/types.ts`. */
const methods: Readonly<Record<Operation, (name: string, id: string, codes: string) => string[]>> = {
  fetch: (name, id, codes) => [`Fetches<${name}, ${name}Where, ${name}Field, ${id}, ${codes}>`],
  search: (name, _, codes) => [`Searches<${name}, ${name}Where, ${name}Field, ${codes}>`],
  count: (name, _, codes) => [`Counts<${name}Where, ${codes}>`],
  exists: (name, _, codes) => [`Exists<${name}Where, ${codes}>`],
  create: (name, id, codes) => [
    `Creates<${name}Create, ${name}, ${codes}>`,
    `CreatesMany<${name}Create, ${id}, ${codes}>`,
  ],
  update: (name, id, codes) => [
    `Updates<${name}Where, ${name}Update, ${id}, ${codes}>`,
    `UpdatesMany<${name}Update & { id: ${id} }, ${id}, ${codes}>`,
  ],
  upsert: (name, id, codes) => [`Upserts<${name}Upsert, ${id}, ${codes}>`],
  delete: (name, id, codes) => [`Deletes<${name}Where, ${id}, ${codes}>`],
  destroy: (name, id, codes) => [`Destroys<${name}Where, ${id}, ${codes}>`],
  restore: (name, id, codes) => [`Restores<${name}Where, ${name}Input, ${id}, ${codes}>`],
};

function apiText(parts: ModelParts): string {
  const { name, operations } = parts.model;
  const id = idType(parts);
  const parents = [...operations].flatMap(([operation, { operation: documented }]) => {
    const [first = "", ...others] = methods[operation](
      name,
      id ?? "number | string",
      parts.codes.of(documented, operation),
    );
    return [id === null && operation === "fetch" ? `Omit<${first}, "get">` : first, ...others];
  });
  return `export interface ${name}Api\n  extends ${parents.join(",\n    ")} {}`;
}

/** The type of ids; null if rows have none. */
function idType({ id, names }: ModelParts): string | null {
  if (id === null) return null;
  return names.typeOf({ type: [id["type"] ?? []].flat().filter((type) => type !== "null") }, "answered");
}

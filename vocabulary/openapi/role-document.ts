import { coversRole } from "../accounts/role-names.ts";
import { isJsonObject, type Json } from "../json.ts";
import {
  type DocumentedOperation,
  type DocumentSchema,
  documentedMethods,
  type Entries,
  type OpenApiDocument,
  type PathItem,
} from "./document.ts";
import { withUsedComponents } from "./used-components.ts";

/**
 * The document of one role: operations that it reaches, and fields that it reads or writes. It has no conditions and gates, because
 * these name other roles and hidden fields.
 */
export function roleDocument(document: OpenApiDocument, role: string): OpenApiDocument {
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const reached = operationsOf(item, role);
    return Object.keys(reached).length === 0 ? [] : [[path, reached] as const];
  });
  const tags = new Set(paths.flatMap(([, item]) => Object.values(item).flatMap(({ tags: names }) => names)));
  const reduced = withUsedComponents({
    ...document,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: schemasFor(document.components.schemas, role) },
  });
  return { ...reduced, paths: withoutNotes(reduced.paths), components: withoutNotes(reduced.components) };
}

/** The roles that a whole document names, in its operations and gates. */
export function documentedRoles({ paths, components }: OpenApiDocument): ReadonlySet<string> {
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  const operations = all.filter((operation) => !takesIngestionKey(operation));
  const rules = operations.flatMap(({ "x-kirak-access": access = [] }) => access.map(({ role }) => role));
  const gates = Object.values(components.schemas)
    .flatMap((schema) => (isJsonObject(schema) ? Object.values(Object(schema["properties"])) : []))
    .flatMap((property) => [Object(property)["x-kirak-read"], Object(property)["x-kirak-write"]]);
  return new Set([...rules, ...gates.flatMap((roles) => (Array.isArray(roles) ? roles.map(String) : []))]);
}

function operationsOf(item: PathItem, role: string): PathItem {
  const entries = documentedMethods.flatMap((method) => {
    const operation = item[method];
    return operation !== undefined && reaches(operation, role) ? [[method, operation] as const] : [];
  });
  return Object.fromEntries(entries);
}

function reaches(operation: DocumentedOperation, role: string): boolean {
  const { "x-kirak-access": access } = operation;
  if (takesIngestionKey(operation)) return false;
  return access === undefined || access.some((entry) => coversRole(entry.role, role));
}

/** The ingestion key of monitoring is a key of servers. Accounts can have a role of that name. */
function takesIngestionKey({ security }: DocumentedOperation): boolean {
  return security.some((each) => "ingestionKey" in each);
}

/** The schemas of each model without the fields that a role neither reads nor writes. */
function schemasFor(schemas: Entries<DocumentSchema>, role: string): Entries<DocumentSchema> {
  const changed: Record<string, DocumentSchema> = { ...schemas };
  const without = (names: ReadonlySet<string>, schema: string) => {
    const found = schemas[schema];
    if (found !== undefined) changed[schema] = withoutFields(found, names);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const unread = closedTo(schema, "x-kirak-read", role);
    if (!isJsonObject(schema) || !("x-kirak-model" in schema)) {
      if (unread.size > 0) without(unread, name);
      continue;
    }
    const model = name.replace(/Part$/, "");
    for (const suffix of ["Part", "", "Filter", "Field"]) without(unread, model + suffix);
    const unwritten = closedTo(schemas[`${model}Input`], "x-kirak-write", role);
    for (const suffix of ["Input", "Create", "Update", "Upsert", "Restore"])
      without(unwritten, model + suffix);
  }
  return changed;
}

/** The properties whose gate does not admit a role. */
function closedTo(
  schema: DocumentSchema | undefined,
  gate: "x-kirak-read" | "x-kirak-write",
  role: string,
): Set<string> {
  const properties = isJsonObject(schema) && isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const closed = Object.entries(properties).filter(([, property]) => {
    const roles = isJsonObject(property) ? property[gate] : undefined;
    return Array.isArray(roles) && !roles.some((each) => coversRole(String(each), role));
  });
  return new Set(closed.map(([name]) => name));
}

/** A schema without some fields, in its properties, filters, `required` and enum. */
function withoutFields(schema: DocumentSchema, names: ReadonlySet<string>): DocumentSchema {
  if (typeof schema === "boolean") return schema;
  const isKept = (name: unknown) => !names.has(String(name).replace(/(?<=.)__[a-z]+(?:_[a-z]+)*$/, ""));
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if ((keyword === "required" || keyword === "enum") && Array.isArray(value))
      return [keyword, value.filter(isKept)];
    if (keyword === "properties" && typeof value === "object" && value !== null)
      return [keyword, Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name)))];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

/** A part of a document without Kirak's notes, except limits. */
function withoutNotes<Value>(part: Value): Value {
  return rewritten(part, (key, value) =>
    key.startsWith("x-kirak") && key !== "x-kirak-limit" ? undefined : value,
  );
}

/** The document with whole rows in the answers of lists, for generators of clients that cannot type a selection. */
export function completeDocument(document: OpenApiDocument): OpenApiDocument {
  const isSelection = (parameter: unknown) =>
    isJsonObject(parameter) && /^#\/components\/parameters\/.+Select$/.test(String(parameter["$ref"]));
  const { schemas } = document.components;
  /** A model can have a name that ends in `Part` too. */
  const wholeRow = (pointer: string): string => {
    const schema = schemas[pointer.replace("#/components/schemas/", "")];
    return isJsonObject(schema) && "x-kirak-model" in schema ? pointer.replace(/Part$/, "") : pointer;
  };
  return withUsedComponents({
    ...document,
    paths: rewritten(document.paths, (key, value) =>
      key === "parameters" && Array.isArray(value) ? value.filter((each) => !isSelection(each)) : value,
    ),
    components: {
      ...document.components,
      responses: rewritten(document.components.responses, (key, value) =>
        key === "$ref" && typeof value === "string" ? wholeRow(value) : value,
      ),
    },
  });
}

/** A copy with other values; a value of `undefined` leaves its key out. */
function rewritten<Value>(part: Value, change: (key: string, value: unknown) => unknown): Value {
  return JSON.parse(JSON.stringify(part, change));
}

import { clientNames } from "../../../vocabulary/openapi/client-names.ts";
import type { DocumentSchema, OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { propertyName, stringLiteral } from "../literal.ts";
import { type ClientGroup, memberOf } from "./client-members.ts";
import { answeredData, modelsOf, operationsOf, type PlacedOperation } from "./document-operations.ts";
import { isPart, propertiesIn } from "./json-parts.ts";
import { inputOf } from "./types/inputs.ts";

/** Methods, or groups of methods, by name. */
interface MethodTable {
  [name: string]: string | MethodTable;
}

/** Prints the operations of a document as data, and the function that makes a client of them. `templates/client/` reads them. */
export function clientTables(document: OpenApiDocument): string {
  return `const tables: Tables = ${printed({ ...modelTable(document), ...methodTables(document) })};

/** Makes a client of the service. */
export function createClient(options: ClientOptions): Client {
  return connect(options, tables) as Client;
}
`;
}

/** Methods of an operation besides the one of its name. */
const others: Partial<Record<Operation, readonly string[]>> = {
  fetch: ["get"],
  create: ["createMany"],
  update: ["updateMany"],
};

function modelTable(document: OpenApiDocument): MethodTable {
  const models = modelsOf(document).map(({ key, operations }) => {
    const names = [...operations.keys()].flatMap((operation) => [operation, ...(others[operation] ?? [])]);
    const [[operation, placed] = []] = operations;
    const path = placed?.path.slice(0, -`/${operation}`.length);
    return [key, [path, ...names].join(" ")] as const;
  });
  const hidden = models.map(([key]) => key).filter((key) => clientNames.includes(key));
  return { models: Object.fromEntries(models), hidden: hidden.join(" ") };
}

function methodTables(document: OpenApiDocument): MethodTable {
  const routes: MethodTable = {};
  const groups: MethodTable = {};
  let graphql = "";
  for (const placed of operationsOf(document)) {
    const member = memberOf(placed.operation);
    if (member === null) continue;
    const { group, name } = member;
    if (group === "graphql") graphql = placed.path;
    else if (group === "routes") routes[name] = routeEntry(document, placed);
    else methodsOf(groups, group)[name] = methodEntry(document, placed, group);
  }
  return { routes, groups, graphql };
}

/** The methods of a group; those of `apiKeys` and `social` are in `auth`. */
function methodsOf(groups: MethodTable, group: ClientGroup): MethodTable {
  const isNested = group === "apiKeys" || group === "social";
  return isNested ? tableIn(tableIn(groups, "auth"), group) : tableIn(groups, group);
}

function tableIn(table: MethodTable, name: string): MethodTable {
  const found = table[name];
  if (typeof found === "object") return found;
  const made: MethodTable = {};
  table[name] = made;
  return made;
}

function routeEntry(document: OpenApiDocument, placed: PlacedOperation): string {
  const isRaw = inputOf(document, placed.operation).body?.type === "raw";
  const isResponse = answeredData(document, placed.operation) === null;
  return entryOf(placed, { raw: isRaw, response: isResponse });
}

/** Operations that send the refresh token of the session, in this property of the body; a logout ends the session. */
const sessionNotes: Readonly<Record<string, readonly string[]>> = {
  authRefreshToken: ["refreshToken="],
  authLogout: ["token=", "ends"],
};

function methodEntry(document: OpenApiDocument, placed: PlacedOperation, group: ClientGroup): string {
  const { operationId, security } = placed.operation;
  const { params, query, body } = inputOf(document, placed.operation);
  const isUpload = body?.type === "multipart/form-data";
  const isAddress = operationId === "authSocialLogin";
  const notes = {
    url: isAddress,
    form: isUpload,
    body: body !== null && !isUpload && !isClosedEmpty(body.schema),
    query: body === null && !isAddress && (params ?? query) !== null,
    apart: group === "social",
    files: operationId === "storageList",
    open: security.every((needed) => Object.keys(needed).length === 0) || operationId === "authLogout",
  };
  return entryOf(placed, notes, sessionNotes[operationId]);
}

/** A body that takes no property is only there for clients that must send one. */
function isClosedEmpty(schema: DocumentSchema): boolean {
  return (
    isPart(schema) &&
    schema["additionalProperties"] === false &&
    Object.keys(propertiesIn(schema)).length === 0
  );
}

function entryOf(
  { method, path }: PlacedOperation,
  notes: Readonly<Record<string, boolean>>,
  more: readonly string[] = [],
): string {
  const given = Object.entries(notes).flatMap(([note, isGiven]) => (isGiven ? [note] : []));
  return [method.toUpperCase(), path, ...given, ...more].join(" ");
}

function printed(value: string | MethodTable, indent = ""): string {
  if (typeof value === "string") return stringLiteral(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, part]) => `${inner}${propertyName(name)}: ${printed(part, inner)},\n`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

import { clientNames } from "../../../vocabulary/openapi/client-names.ts";
import type { DocumentedOperation, OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { propertyName, stringLiteral } from "../literal.ts";
import { type ClientGroup, type ClientMember, hasSessions, memberOf } from "./client-members.ts";
import {
  answeredData,
  idSchemaIn,
  modelsOf,
  type PlacedOperation,
  placedOperations,
} from "./document-operations.ts";
import { inputOf, isClosedEmpty } from "./types/inputs.ts";

/** Methods, or groups of methods, by name. */
interface MethodTable {
  [name: string]: string | MethodTable;
}

/** Prints the operations of a document as data, and the function that makes a client of them. `templates/client/` reads them. */
export function clientTables(document: OpenApiDocument): string {
  const tables = printed({ ...modelTable(document), ...methodTables(document) });
  const connected = hasRefreshCookie(document)
    ? connectedWithCookies
    : "connect(options, tables, keepSession)";
  const client = hasSessions(document) ? `withReauthentication(${connected}, options)` : connected;
  return `const tables: Tables = ${tables};
${hasRefreshCookie(document) ? cookieOption : ""}
/** Makes a client of the service. */
export function createClient(options: ClientOptions): Client {
  return ${client} as Client;
}
`;
}

const connectedWithCookies = `(options.cookies
    ? connect({ ...options, credentials: "include" }, tables, keepCookies)
    : connect(options, tables, keepSession))`;

const cookieOption = `
export interface ClientOptions {
  /** Tokens are only in cookies of the browser, which no script reads. */
  cookies?: boolean;
}
`;

/** Whether the service can keep refresh tokens in a cookie. */
export function hasRefreshCookie(document: OpenApiDocument): boolean {
  return placedOperations(document).some(
    ({ operation }) => operation.operationId === "authRefreshToken" && takesCookieOnly(operation),
  );
}

/** Whether a body can ask for an answer without tokens. */
function takesCookieOnly({ requestBody = {} }: DocumentedOperation): boolean {
  return JSON.stringify(requestBody).includes('"cookie_only"');
}

/** Methods of an operation besides the one of its name. */
const others: Partial<Record<Operation, readonly string[]>> = {
  fetch: ["get"],
  create: ["createMany"],
  update: ["updateMany"],
};

function modelTable(document: OpenApiDocument): MethodTable {
  const models = modelsOf(document).map(({ key, name, operations }) => {
    const hasIds = idSchemaIn(document, { name }) !== null;
    const names = [...operations.keys()].flatMap((operation) =>
      operation === "fetch" && !hasIds ? [operation] : [operation, ...(others[operation] ?? [])],
    );
    const [[operation, placed] = []] = operations;
    const path = placed?.path.slice(0, -`/${operation}`.length);
    return [key, [path, ...names].join(" ")] as const;
  });
  const hidden = models.map(([key]) => key).filter((key) => clientNames.includes(key));
  return { models: Object.fromEntries(models), hidden: hidden.join(" ") };
}

function methodTables(document: OpenApiDocument): MethodTable {
  const groups: MethodTable = {};
  const paths = { graphql: "", refresh: "" };
  for (const placed of placedOperations(document)) {
    const member = memberOf(placed.operation);
    if (placed.operation.operationId === "authRefreshToken") paths.refresh = placed.path;
    if (member?.group === "graphql") paths.graphql = placed.path;
    else if (member !== null) addMethod(document, groups, placed, member);
  }
  return { groups, ...paths };
}

/** Adds a method to those with the same notes. In a group other than custom routes, `*` is the last segment of their paths. */
function addMethod(
  document: OpenApiDocument,
  groups: MethodTable,
  placed: PlacedOperation,
  { group, name }: ClientMember,
): void {
  const table = isNested(group) ? tableIn(tableIn(groups, "auth"), group) : tableIn(groups, group);
  const [, segment] = group === "routes" ? [] : (/\/([^{}/]+)$/.exec(placed.path) ?? []);
  const path = segment === undefined ? placed.path : placed.path.replace(/[^/]+$/, "*");
  const operation = [placed.method.toUpperCase(), path, ...notesOf(document, placed, group)].join(" ");
  const isSegment = segment === undefined || segment === name.replace(/[A-Z]/g, "-$&").toLowerCase();
  const method = isSegment ? name : `${name}:${segment}`;
  table[operation] = [table[operation] ?? [], method].flat().join(" ");
}

const nested: readonly ClientGroup[] = ["account", "apiKeys", "passkeys", "sessions", "social"];

function isNested(group: ClientGroup): boolean {
  return nested.includes(group);
}

function tableIn(table: MethodTable, name: string): MethodTable {
  const found = table[name];
  if (typeof found === "object") return found;
  const made: MethodTable = {};
  table[name] = made;
  return made;
}

/** They can do without an access token, and have a security requirement for other credentials. */
const openWithCredential = ["authLogout", "authRefreshToken"];

/** What a method takes and does, in the words of `templates/client/connect.ts`. */
function notesOf(document: OpenApiDocument, placed: PlacedOperation, group: ClientGroup): string[] {
  const { operation } = placed;
  const { operationId, security } = operation;
  const { params, query, body } = inputOf(document, operation);
  const isRoute = group === "routes";
  const isUpload = body?.type === "multipart/form-data";
  const isAddress = operationId === "authSocialLogin";
  const isAlone = isRoute || isUpload || isAddress;
  const isApart = group === "social" && placed.path.includes("{provider}");
  // What a path takes is a part of the one object, also next to a body without properties.
  const takesParams = !isApart && params !== null;
  const hasBody = !isAlone && body !== null && (takesParams || !isClosedEmpty(body.schema));
  const hasQuery = !isAlone && !isApart && body === null && (params ?? query) !== null;
  const notes = {
    route: isRoute,
    form: isUpload,
    url: isAddress,
    body: hasBody,
    query: hasQuery,
    none: !isAlone && !hasBody && !hasQuery,
    apart: isApart,
    raw: body?.type === "raw",
    response: isRoute && answeredData(document, operation) === null,
    files: operationId === "storageList",
    open: !isRoute && (security.length === 0 || openWithCredential.includes(operationId)),
    begins: !isRoute && takesCookieOnly(operation),
    refreshToken: operationId === "authRefreshToken",
    token: operationId === "authLogout",
  };
  return Object.entries(notes).flatMap(([note, isGiven]) => (isGiven ? [note] : []));
}

function printed(value: string | MethodTable, indent = ""): string {
  if (typeof value === "string") return stringLiteral(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, part]) => `${inner}${propertyName(name)}: ${printed(part, inner)},\n`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

import type { IncomingMessage } from "node:http";
import { doubleOf } from "../../../vocabulary/fields/exact-numbers.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { isStandardSchema, jsonSchemaOf } from "../../../vocabulary/standard-schema.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import { readDoublesBody, readQueryString, readRawBody } from "../../core/http/index.ts";
import { listItems } from "../../data/operations/index.ts";
import { kinds } from "../../data/sql/index.ts";
import { type InputReader, inputReader } from "../../models/validation/index.ts";
import type { CustomRoute, RouteInput } from "./define-route.ts";

/** A copy without prototypes, so that objects only have the keys that were sent. */
function bareCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareCopy);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) copy[key] = bareCopy(item);
  return copy;
}

type Scalar = string | number | boolean;

/** Converts texts of a path or query string to the types in a schema, as for filters. */
type TextReader = (texts: Iterable<readonly [name: string, text: string]>) => object;

/** A text of the wrong type stays a text, which the schema then rejects. */
function textReader(schema: object): TextReader {
  const { root, properties } = inputProperties(schema);
  const named = Object.entries(properties ?? {}).map(
    ([name, property]) => [name, textConverter(property, root)] as const,
  );
  const converters = new Map(named);
  return (texts) => {
    const values: Record<string, unknown> = Object.create(null);
    for (const [name, text] of texts) values[name] = converters.get(name)?.(text) ?? text;
    return values;
  };
}

/** The properties in the JSON Schema of an input, and the whole schema. Null if it has none, as that of a union. */
function inputProperties(schema: object): { readonly root: unknown; readonly properties: JsonObject | null } {
  const root = isStandardSchema(schema) ? jsonSchemaOf(schema, "input") : schema;
  const properties = partOf(root, "properties") ?? partOf(referred(root, root), "properties");
  return { root, properties: isJsonObject(properties) ? properties : null };
}

function textConverter(property: unknown, root: unknown): (text: string) => unknown {
  const schemas = schemasOfValue(property, root);
  const types = typesIn(schemas);
  const items = schemas.find((schema) => schema["items"] !== undefined)?.["items"];
  const itemTypes = typesIn(schemasOfValue(items, root));
  return (text) => (types.has("array") ? listOf(text, itemTypes) : null) ?? scalarOf(text, types);
}

/** A schema, and those that it refers to for the same value. */
function schemasOfValue(schema: unknown, root: unknown, depth = 0): JsonObject[] {
  // No text can have the type of a schema that refers to itself.
  if (!isJsonObject(schema) || depth > 8) return [];
  const { allOf, anyOf, oneOf } = schema;
  const others = [allOf, anyOf, oneOf, referred(schema, root)].flat();
  return [schema, ...others.flatMap((other) => schemasOfValue(other, root, depth + 1))];
}

/** The JSON types that a text can stand for. */
function typesIn(schemas: readonly JsonObject[]): ReadonlySet<unknown> {
  const types = schemas.flatMap(({ type, const: only, enum: several = [] }) => {
    const allowed = only === undefined ? [several].flat() : [only, several].flat();
    return type ?? allowed.map((value) => typeof value);
  });
  return new Set(types.flat());
}

/** The target of the `$ref` of a schema, inside of `root`. */
function referred(schema: unknown, root: unknown): unknown {
  const reference = partOf(schema, "$ref");
  if (typeof reference !== "string") return undefined;
  const parts = reference.split("/").slice(1);
  return parts.reduce(partOf, root);
}

function partOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Null for a text that is not a list, or has values that filters do not support. */
function listOf(text: string, types: ReadonlySet<unknown>): Scalar[] | null {
  const elements = listItems(text) ?? [null];
  const values = elements.map((element) => {
    if (typeof element === "number" || typeof element === "boolean") return element;
    if (typeof element === "bigint") return doubleOf(element);
    const storable = kinds.text.parse(element);
    return typeof storable === "string" ? scalarOf(storable, types) : null;
  });
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}

function scalarOf(text: string, types: ReadonlySet<unknown>): Scalar {
  const whole = types.has("integer") ? Number(kinds.bigint.parse(text) ?? Number.NaN) : Number.NaN;
  if (Number.isSafeInteger(whole)) return whole;
  const number = types.has("number") ? kinds.float.parse(text) : undefined;
  const flag = types.has("boolean") ? kinds.boolean.parse(text) : undefined;
  return number ?? flag ?? text;
}

/** The input of a request for a route. */
interface SentInput {
  readonly request: IncomingMessage;
  /** The values of names in the path. */
  readonly params: readonly (readonly [name: string, text: string])[];
  readonly query: string;
  readonly bodyLimitBytes: number;
}

/** The input of a route as JSON, with the headers of the request. */
export interface JsonInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly request: IncomingMessage;
}

/** Reads and validates the input of a route. Errors: 400 `VALIDATION_ERROR`. */
export interface RouteInputs {
  /** Errors: also 413 and 415 `HTTP_ERROR`. */
  readonly read: (sent: SentInput) => Promise<RouteInput>;
  /** Input that is no request. Problems name the part: `params.id`. */
  readonly check: (sent: JsonInput) => Promise<RouteInput>;
}

const nothing = { type: "object" };

/** Throws an Error if a schema of the route is invalid. `names` are those in its path. */
export function routeInputs(route: CustomRoute, names: readonly string[]): RouteInputs {
  const { params = textsOf(names), query = nothing } = route;
  requireNames(params, names);
  const [paramsOf, readParams] = [textReader(params), readerOf("params", params)];
  const [queryOf, readQuery] = [textReader(query), readerOf("query", query)];
  const { bodyOf, readBody } = bodyReader(route);
  const checked = async (sent: Omit<JsonInput, "request">, { headers }: IncomingMessage) => {
    const params = await readParams(sent.params);
    const query = await readQuery(sent.query);
    const body = await readBody(sent.body);
    const values = { params: Object(params.value), query: Object(query.value), body: body.value };
    const problems = { params: params.problems, query: query.problems, body: body.problems };
    return { input: { ...values, headers: textsIn(headers) }, problems };
  };
  return {
    async read(sent) {
      const odd: Problem[] = [];
      const query = queryOf(readQueryString(sent.query, odd));
      const body = await bodyOf(sent);
      const { input, problems } = await checked({ params: paramsOf(sent.params), query, body }, sent.request);
      const known = new Set(odd.map(({ field }) => field));
      const others = problems.query.filter(({ field }) => !known.has(field));
      refuseProblems([...problems.params, ...odd, ...others, ...problems.body]);
      return input;
    },
    async check({ request, ...sent }) {
      const params = bareCopy(sent.params ?? {});
      const query = bareCopy(sent.query ?? {});
      const { input, problems } = await checked({ params, query, body: bareCopy(sent.body) }, request);
      const missing = names.filter((name) => !isJsonObject(params) || !Object.hasOwn(params, name));
      const others = problems.params.filter(({ field }) => !missing.includes(field));
      refuseProblems([
        ...within("params", [...missing.map((field) => ({ field, message: "is required" })), ...others]),
        ...within("query", problems.query),
        ...within("body", problems.body),
      ]);
      return input;
    },
  };
}

function within(part: string, problems: readonly Problem[]): Problem[] {
  return problems.map(({ field, message }) => ({
    field: field === "" ? part : `${part}.${field}`,
    message,
  }));
}

/** Only `set-cookie` has a list, and it is not a request header. */
function textsIn(headers: IncomingMessage["headers"]): RouteInput["headers"] {
  const bare: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") bare[name] = value;
  return bare;
}

interface BodyReader {
  readonly bodyOf: (sent: SentInput) => Promise<unknown>;
  readonly readBody: InputReader;
}

/** Bytes, an object, or no body. */
function bodyReader({ raw = false, body }: CustomRoute): BodyReader {
  if (raw)
    return {
      bodyOf: ({ request, bodyLimitBytes }) => readRawBody(request, bodyLimitBytes),
      readBody: (value) => ({ problems: [], value }),
    };
  const bodyOf = async ({ request, bodyLimitBytes }: SentInput) =>
    bareCopy(await readDoublesBody(request, bodyLimitBytes));
  const read = readerOf("body", body ?? nothing);
  if (body !== undefined) return { bodyOf, readBody: (value) => read(value ?? {}) };
  return { bodyOf, readBody: async (value) => ({ ...(await read(value ?? {})), value }) };
}

function textsOf(names: readonly string[]): object {
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  };
}

/** Other names than those of the path would never have a value. */
function requireNames(params: object, names: readonly string[]): void {
  const { properties } = inputProperties(params);
  if (properties === null && isStandardSchema(params)) return;
  const declared = Object.keys(properties ?? {});
  const odd = [
    ...declared.filter((name) => !names.includes(name)),
    ...names.filter((name) => !declared.includes(name)),
  ];
  if (odd.length > 0)
    throw new Error(`params: the names in the path and those of the schema differ: ${odd.join(", ")}`);
}

function readerOf(part: string, schema: object): InputReader {
  try {
    return inputReader(schema);
  } catch (error) {
    throw new Error(`${part}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

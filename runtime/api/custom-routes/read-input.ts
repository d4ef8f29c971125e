import type { IncomingMessage } from "node:http";
import { doubleOf } from "../../../vocabulary/fields/exact-numbers.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
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

/** The JSON types that a text can stand for. */
interface ExpectedTypes {
  readonly types: ReadonlySet<unknown>;
  /** The type of a list's elements. */
  readonly items: ExpectedTypes | null;
}

/** Converts texts of a path or query string to the types in a schema, as for filters. */
type TextReader = (texts: Iterable<readonly [name: string, text: string]>) => object;

/** A text of the wrong type stays a text, which the schema then rejects. */
function textReader(written: object): TextReader {
  const schema = jsonFormOf(written) ?? {};
  const properties = partOf(schema, "properties");
  const meant = new Map(
    Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => [
      name,
      expectedTypes(property, schema),
    ]),
  );
  return (texts) => {
    const values: Record<string, unknown> = Object.create(null);
    for (const [name, text] of texts) values[name] = convertText(text, meant.get(name) ?? anyType);
    return values;
  };
}

/** Null for a schema of a library that has no JSON Schema. */
function jsonFormOf(schema: object): object | null {
  if (!isStandardSchema(schema)) return schema;
  const json = jsonSchemaOf(schema, "input");
  if (typeof json !== "object" || json === null) return null;
  const target = typeof json["$ref"] === "string" ? referred(json["$ref"], json) : json;
  return isJsonObject(target) ? { ...json, ...target } : json;
}

const anyType: ExpectedTypes = { types: new Set(), items: null };

function expectedTypes(schema: unknown, root: object, depth = 0): ExpectedTypes {
  // No text can have the type of a schema that refers to itself.
  if (!isJsonObject(schema) || depth > 8) return anyType;
  const { type, const: only, enum: several = [], $ref, allOf, anyOf, oneOf, items } = schema;
  const others = [allOf, anyOf, oneOf, typeof $ref === "string" ? referred($ref, root) : []].flat();
  const inner = others.map((other) => expectedTypes(other, root, depth + 1));
  const allowed = [...[several].flat(), ...(only === undefined ? [] : [only])].map((value) => typeof value);
  const types = [type ?? allowed, ...inner.map((one) => [...one.types])].flat();
  const elements = items === undefined ? inner.find((one) => one.items !== null)?.items : undefined;
  return {
    types: new Set(types),
    items: items === undefined ? (elements ?? null) : expectedTypes(items, root, depth + 1),
  };
}

/** The target of a reference inside the schema. */
function referred(reference: string, root: object): unknown {
  const parts = reference.replace(/^#\/?/, "").split("/");
  return parts.reduce<unknown>((at, part) => partOf(at, part), root);
}

function partOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function convertText(text: string, { types, items }: ExpectedTypes): unknown {
  if (types.has("array")) {
    const list = listOf(text, items ?? anyType);
    if (list !== null) return list;
  }
  return scalarOf(text, types);
}

/** Null for a text that is not a list, or has values that filters do not support. */
function listOf(text: string, { types }: ExpectedTypes): Scalar[] | null {
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
  return {
    async read(sent) {
      const problems: Problem[] = [];
      const sentQuery = queryOf(readQueryString(sent.query, problems));
      const sentBody = await bodyOf(sent);
      const [params, query, body] = [
        await readParams(paramsOf(sent.params)),
        await readQuery(sentQuery),
        await readBody(sentBody),
      ];
      const odd = new Set(problems.map(({ field }) => field));
      problems.push(...query.problems.filter(({ field }) => !odd.has(field)));
      refuseProblems([...params.problems, ...problems, ...body.problems]);
      return { ...valuesOf(params.value, query.value, body.value), headers: headersOf(sent.request) };
    },
    async check({ request, ...sent }) {
      const part = async (name: "params" | "query" | "body", read: InputReader, value: unknown) => {
        const { problems, value: checked } = await read(bareCopy(value));
        const placed = problems.map(({ field, message }) => ({
          field: field === "" ? name : `${name}.${field}`,
          message,
        }));
        return { problems: placed, value: checked };
      };
      const sentParams = sent.params ?? {};
      const params = await part("params", readParams, sentParams);
      const query = await part("query", readQuery, sent.query ?? {});
      const body = await part("body", readBody, sent.body);
      const known = isJsonObject(sentParams) ? Object.keys(sentParams) : [];
      const missing = names.filter((name) => !known.includes(name)).map((name) => `params.${name}`);
      refuseProblems([
        ...missing.map((field) => ({ field, message: "is required" })),
        ...params.problems.filter(({ field }) => !missing.includes(field)),
        ...query.problems,
        ...body.problems,
      ]);
      return { ...valuesOf(params.value, query.value, body.value), headers: headersOf(request) };
    },
  };
}

function valuesOf(
  params: unknown,
  query: unknown,
  body: unknown,
): Pick<RouteInput, "params" | "query" | "body"> {
  return { params: Object(params), query: Object(query), body };
}

/** Only `set-cookie` has a list, and it is not a request header. */
function headersOf({ headers }: IncomingMessage): RouteInput["headers"] {
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
  const schema = jsonFormOf(params);
  const properties: unknown = schema === null ? undefined : Reflect.get(schema, "properties");
  if (properties === undefined && isStandardSchema(params)) return;
  const declared = isJsonObject(properties) ? Object.keys(properties) : [];
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

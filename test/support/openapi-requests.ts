import fc from "fast-check";
import { isJsonObject, type Json } from "#vocabulary/json";
import type { DocumentedMethod, DocumentSchema, OpenApiDocument, Part } from "#vocabulary/openapi/document";
import type { Sent } from "./request.ts";
import { schemaIn, valuesOf } from "./schema-values.ts";

/** A request made at random from a document. */
export interface RandomRequest extends Sent {
  /** Whether it fits the schemas of its operation. */
  readonly isValid: boolean;
}

type Parameters = readonly (readonly [name: string, value: string])[];

/** What is sent, before it is made a request. */
interface Draft {
  readonly inPath: Parameters;
  readonly inQuery: Parameters;
  readonly body: Json | undefined;
}

/** Requests of an operation that fit its schemas, and requests that differ from these. */
export function requestsOf(
  document: OpenApiDocument,
  path: string,
  method: DocumentedMethod,
): fc.Arbitrary<RandomRequest> {
  const valid = draftsOf(document, path, method);
  const rendered = valid.map((draft) => ({ ...requestFor(path, method, draft), isValid: true }));
  const altered = valid
    .chain(alteredDrafts)
    .map((draft) => ({ ...requestFor(path, method, draft), isValid: false }));
  const broken = fc.tuple(valid, brokenParts).map(([draft, part]) => {
    const sent = requestFor(path, method, draft);
    const added = sent.body === undefined ? {} : part;
    return { ...sent, ...added, path: sent.path + (part.path ?? ""), isValid: false };
  });
  return fc.oneof(
    { weight: 4, arbitrary: rendered },
    { weight: 4, arbitrary: altered },
    { weight: 2, arbitrary: broken },
  );
}

function draftsOf(document: OpenApiDocument, path: string, method: DocumentedMethod): fc.Arbitrary<Draft> {
  const operation = document.paths[path]?.[method];
  const parameters = (operation?.parameters ?? []).map((each) => resolved(document, each));
  const place = (wanted: string) =>
    fc
      .tuple(...parameters.filter((each) => each["in"] === wanted).map((each) => sentAs(document, each)))
      .map((lists) => lists.flat());
  const schema = bodySchemaOf(operation?.requestBody);
  const body = schema === null ? fc.constant(undefined) : valuesOf(document, schema);
  return fc.record({ inPath: place("path"), inQuery: place("query"), body });
}

function resolved({ components }: OpenApiDocument, parameter: Part): Part {
  const { $ref } = parameter;
  return typeof $ref === "string" ? (components.parameters[$ref.split("/").at(-1) ?? ""] ?? {}) : parameter;
}

function bodySchemaOf(body: Part | undefined): DocumentSchema | null {
  const content = body?.["content"];
  const json = isJsonObject(content) ? content["application/json"] : undefined;
  return isJsonObject(json) ? schemaIn(json["schema"] ?? true) : null;
}

/** A parameter as it is written in a query string or a path. An optional one is often left out. */
function sentAs(
  document: OpenApiDocument,
  { name, required, explode, schema = true }: Part,
): fc.Arbitrary<Parameters> {
  const written = valuesOf(document, schemaIn(schema)).map((value): Parameters => {
    if (isJsonObject(value)) return Object.entries(value).map(([key, each]) => [key, textOf(each)]);
    if (Array.isArray(value) && explode !== false) return value.map((each) => [String(name), textOf(each)]);
    return [[String(name), textOf(value)]];
  });
  return required === true ? written : fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, written);
}

function textOf(value: Json): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function requestFor(path: string, method: DocumentedMethod, { inPath, inQuery, body }: Draft): Sent {
  const target = inPath.reduce((all, [name, value]) => all.replace(`{${name}}`, encoded(value) || "x"), path);
  const query = inQuery.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  return {
    method: method.toUpperCase(),
    path: query === "" ? target : `${target}?${query}`,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  };
}

/** A lone surrogate has no bytes in a URL. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const hostileTexts = [
  ...["", " ", "null", "true", "0", "-1", "1.5", "1e400", "NaN", "99999999999999999999", "9007199254740993"],
  ...[
    "\0",
    "a\0b",
    "\ud800",
    "\u202e",
    "🦄",
    "é".repeat(300),
    "x".repeat(5000),
    "%",
    "%%",
    "_",
    "\\",
    '"',
    "'",
  ],
  ...[
    "'; DROP TABLE users; --",
    "$1",
    "{}",
    "[]",
    "{1,2}",
    "a,b,,c",
    "../../etc/passwd",
    "__proto__",
    "constructor",
  ],
  ...[
    "2026-02-30",
    "2026-01-01T25:00:00Z",
    "0000-01-01",
    "infinity",
    "now",
    "24:00",
    "2026-01-01T00:00:00+99:99",
  ],
] as const;

const hostileValues: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...hostileTexts),
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e300,
    [],
    {},
    [[]],
    [null],
    [{}],
  ),
  fc.constantFrom<Json>(
    { eq: 1 },
    { $ne: null },
    JSON.parse('{"__proto__":{"role":"admin"}}'),
    Array(200).fill(1),
  ),
);

const names = fc.constantFrom(
  ...[
    "id",
    "x",
    "",
    "role",
    "deleted_at",
    "__proto__",
    "constructor",
    "toString",
    "where",
    "where[id]",
    "id__in",
  ],
  ...[
    "id__nope",
    "title__ilike",
    "limit",
    "page",
    "offset",
    "order_by",
    "select_fields",
    "page__after",
    "data",
    "ids",
  ],
);

/** A draft with one to three differences. */
function alteredDrafts(draft: Draft): fc.Arbitrary<Draft> {
  const once = (given: Draft): fc.Arbitrary<Draft> =>
    fc.oneof(
      {
        weight: given.body === undefined ? 0 : 6,
        arbitrary: alteredJson(given.body ?? null).map((body) => ({ ...given, body })),
      },
      { weight: 2, arbitrary: alteredQuery(given.inQuery).map((inQuery) => ({ ...given, inQuery })) },
      {
        weight: given.inPath.length,
        arbitrary: alteredPath(given.inPath).map((inPath) => ({ ...given, inPath })),
      },
    );
  return once(draft).chain((one) => fc.oneof(fc.constant(one), once(one).chain(once)));
}

/** A value in which one place is another value, or an object has a key more or less. */
function alteredJson(value: Json): fc.Arbitrary<Json> {
  const here = hostileValues;
  if (Array.isArray(value)) {
    const longer = fc.constantFrom<Json>(...[...value, null].map((each): Json => [...value, each]));
    const inside = value.map((each, at) => alteredJson(each).map((other) => value.with(at, other)));
    return fc.oneof(here, longer, ...inside);
  }
  if (!isJsonObject(value)) return here;
  const added = fc.tuple(names, hostileValues).map(([name, other]) => ({ ...value, [name]: other }));
  const inside = Object.keys(value).flatMap((key) => [
    alteredJson(value[key] ?? null).map((other) => ({ ...value, [key]: other })),
    fc.constant(Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))),
  ]);
  return fc.oneof(here, added, ...inside);
}

function alteredQuery(query: Parameters): fc.Arbitrary<Parameters> {
  const text = fc.constantFrom(...hostileTexts);
  const added = fc.tuple(names, text).map((entry): Parameters => [...query, entry]);
  const inside = query.flatMap(([name], at) => [
    text.map((value): Parameters => query.with(at, [name, value])),
    text.map((value): Parameters => [...query, [name, value]]),
    fc.constant(query.toSpliced(at, 1)),
  ]);
  return fc.oneof(added, ...inside);
}

function alteredPath(path: Parameters): fc.Arbitrary<Parameters> {
  return fc
    .constantFrom(...hostileTexts)
    .map((value) => path.map(([name]): Parameters[number] => [name, value]));
}

/** What no JSON of a body and no parameter can express. `path` is appended. */
const brokenParts: fc.Arbitrary<Partial<Sent>> = fc.oneof(
  fc
    .constantFrom<Sent["body"]>(
      ...[
        "",
        "null",
        "[",
        "{",
        '{"a":1,"a":2}',
        '{"data":{"id":1e400}}',
        '{"__proto__":{}}',
        "[".repeat(5000),
        '"\\ud800"',
      ],
      ...[
        Buffer.from([0xff, 0xfe, 0x7b]),
        Buffer.from("\ufeff{}"),
        "a=b",
        "--x\r\n\r\n--x--",
        `"${"x".repeat(2_000_000)}"`,
      ],
    )
    .map((body) => ({ body, headers: { "content-type": "application/json" } })),
  fc
    .constantFrom(
      ...[
        "text/plain",
        "application/xml",
        "application/json; charset=utf-16",
        "application/x-www-form-urlencoded",
      ],
      ...["multipart/form-data", "application/merge-patch+json", "application/JSON;charset=UTF-8", "x", ""],
    )
    .map((type) => ({ headers: { "content-type": type } })),
  fc
    .constantFrom("gzip", "br", "x", "identity")
    .map((coding) => ({ headers: { "content-type": "application/json", "content-encoding": coding } })),
  fc
    .constantFrom("?%zz", "?%ff=1", "?a=%00", "?=1", "?&&", "?where[id]=1", "?where[")
    .map((path) => ({ path })),
);

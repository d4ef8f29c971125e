import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { type DocumentedMethod, documentedMethods, type OpenApiDocument } from "#vocabulary/openapi/document";
import type { Reply, Sent } from "./request.ts";

type ExpectDescribed = (method: string, path: string, reply: Reply) => void;

/** Expects that an operation of the document, by its path there, lists the status, and describes the whole answer. */
export function describedBy(document: OpenApiDocument): ExpectDescribed {
  const ajv = schemasOf(document);
  return (method, path, { status, headers, text }) => {
    const told = `${method} ${path} answers ${status} ${text.slice(0, 500)}`;
    const verb = methodOf(method);
    const operation = document.paths[path]?.[verb];
    const key = [String(status), `${Math.floor(status / 100)}XX`].find((each) => operation?.responses[each]);
    const response = operation?.responses[key ?? ""];
    if (key === undefined || response === undefined) throw new Error(`${told}, which the document lacks`);
    const { $ref: shared } = response;
    const pointer =
      typeof shared === "string" ? shared : `#/paths/${escaped(path)}/${verb}/responses/${escaped(key)}`;
    const type = String(headers["content-type"] ?? "").split(";")[0] ?? "";
    if (type === "") return expect(ajv.getSchema(`document${pointer}/content`), told).toBeUndefined();
    const schemaOf = (range: string) => ajv.getSchema(`document${pointer}/content/${escaped(range)}/schema`);
    // A file has any type.
    const validate = schemaOf(type) ?? schemaOf("*/*");
    if (validate === undefined) throw new Error(`${told}, whose type ${type} the document lacks`);
    validate(/[/+]json$/.test(type) ? JSON.parse(text) : text);
    expect(validate.errors ?? [], told).toEqual([]);
  };
}

/** Expects that an operation allows the JSON body that was sent. A bulk answer can list records that failed. */
export function takenBy(
  document: OpenApiDocument,
): (method: string, path: string, sent: Sent, reply: Reply) => void {
  const ajv = schemasOf(document);
  return (method, path, { body, headers }, { text }) => {
    const [type] = String(headers?.["content-type"]).toLowerCase().split(";");
    const hasFailed = /"failed_records":\[\{/.test(text);
    if (typeof body !== "string" || body === "" || type !== "application/json" || hasFailed) return;
    const pointer = `#/paths/${escaped(path)}/${methodOf(method)}/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(`document${pointer}`);
    validate?.(JSON.parse(body, withoutIgnored));
    expect(validate?.errors ?? [], `${method} ${path} takes ${body.slice(0, 500)}`).toEqual([]);
  };
}

/** By the contract filters on `deleted_at` and the values of `is_null` are ignored; the document omits them. */
function withoutIgnored(key: string, value: unknown): unknown {
  if (/__is_(not_)?null$/.test(key)) return true;
  if (!["where", "query"].includes(key) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith("deleted_at")));
}

/** Formats of OpenAPI's registry that `ajv-formats` lacks, and our own. */
const otherFormats = {
  decimal: /^-?\d+(\.\d+)?$/,
  "time-local": /^\d\d:\d\d:\d\d(\.\d+)?$/,
  "idn-email": /^.+@[^@\s]+$/u,
};

function schemasOf(document: OpenApiDocument): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, allErrors: true, formats: otherFormats },
    // Fields can be called `constructor` or `toString`.
    ownProperties: true,
  });
  addFormats.default(ajv);
  return ajv.addSchema(document, "document");
}

const fixture = new URL("../http/fixture/generated/openapi.json", import.meta.url);

/** The same of the fixture's document. */
export const expectDescribed: ExpectDescribed = (method, path, reply) => {
  ofFixture ??= describedBy(JSON.parse(readFileSync(fixture, "utf8")));
  ofFixture(method, path, reply);
};

let ofFixture: ExpectDescribed | null = null;

function methodOf(method: string): DocumentedMethod {
  const found = documentedMethods.find((each) => each === method.toLowerCase());
  if (found === undefined) throw new Error(`no operation has the method ${method}`);
  return found;
}

/** A name in a JSON Pointer in a URI. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

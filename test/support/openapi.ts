import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { type DocumentedMethod, documentedMethods, type OpenApiDocument } from "#vocabulary/openapi/document";
import type { Reply } from "./request.ts";

type ExpectDescribed = (method: string, path: string, reply: Reply) => void;

/** Expects that an operation of the document, by its path there, lists the status, and describes the whole answer. */
export function describedBy(document: OpenApiDocument): ExpectDescribed {
  const ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, validateSchema: false, allErrors: true },
    // Fields can be called `constructor` or `toString`.
    ownProperties: true,
  });
  ajv.addSchema(document, "document");
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

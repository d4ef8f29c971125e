import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import {
  type DocumentedMethod,
  documentedMethods,
  type OpenApiDocument,
  type Part,
} from "#vocabulary/openapi/document";
import type { Reply, Sent } from "./request.ts";

/** Checks that a document describes an answer: its status, its headers and its body. */
export type DescribedCheck = (sent: Pick<Sent, "method" | "path">, reply: Reply) => void;

/** Statuses of requests that break HTTP, or that a route does not expect: a body on a GET, another method. */
const ofHttp = [400, 405, 408, 413, 415, 431, 501];

const anyError = "/components/schemas/Error";

/** The check of the document in a folder of generated files. */
export function describedBy(generated: string): DescribedCheck {
  const document: OpenApiDocument = JSON.parse(readFileSync(join(generated, "openapi.json"), "utf8"));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  ajv.addSchema(document, "document");
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string) => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  const patterns = Object.keys(document.paths).map((path) => ({ path, pattern: patternOf(path) }));
  return ({ method, path: target }, { status, headers, text }) => {
    const [path = ""] = target.split("?");
    const found =
      patterns.find((each) => each.path === path) ?? patterns.find(({ pattern }) => pattern.test(path));
    const name = methodOf(method);
    const operation = found === undefined || name === null ? undefined : document.paths[found.path]?.[name];
    if (found === undefined || operation === undefined) return;
    const line = `${method} ${path} → ${status}`;
    const error = errorOf(text);
    if (error === "HTTP_ERROR" && ofHttp.includes(status)) return;
    const known = [String(status), `${Math.floor(status / 100)}XX`, "default"];
    const listed = known.find((key) => key in operation.responses);
    expect(listed, `${line} is described`).toBeDefined();
    const { pointer, response } = resolved(document, found.path, String(name), String(listed));
    const named = Object.keys(Object(response["headers"])).map((each) => each.toLowerCase());
    for (const header of Object.keys(headers).filter((each) =>
      /^x-(request-id|ratelimit)|^retry-after$/.test(each),
    ))
      expect(named, `${line}: its headers`).toContain(header);
    const [type = ""] = String(headers["content-type"] ?? "").split(";");
    if (method === "HEAD" || text === "") return;
    const content = Object(response["content"]);
    expect(Object.keys(content), `${line}: its content types`).toContain(type);
    if (type !== "application/json") return;
    const validate = validatorAt(`${pointer}/content/application~1json/schema`);
    // Code of the app can throw any code with any status.
    const isOfApp =
      "default" in operation.responses && status >= 400 && validatorAt(anyError)(JSON.parse(text));
    if (!validate(JSON.parse(text)) && !isOfApp)
      expect.fail(
        `${line} has a body that is not described: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 500)}`,
      );
  };
}

function methodOf(method: string): DocumentedMethod | null {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  return documentedMethods.find((each) => each === name) ?? null;
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{[^}]+\}/g, "[^/]+")}$`);
}

function errorOf(text: string): unknown {
  try {
    return Object(JSON.parse(text)).error;
  } catch {
    return null;
  }
}

/** The response of a status, and where it is in the document. */
function resolved(document: OpenApiDocument, path: string, method: string, status: string) {
  const item: Readonly<Record<string, { readonly responses: Readonly<Record<string, Part>> } | undefined>> =
    document.paths[path] ?? {};
  const response = item[method]?.responses[status] ?? {};
  const reference = response["$ref"];
  if (typeof reference !== "string") {
    const pointer = `/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/${method}/responses/${status}`;
    return { pointer, response };
  }
  const name = reference.split("/").at(-1) ?? "";
  return { pointer: reference.slice(1), response: document.components.responses[name] ?? {} };
}

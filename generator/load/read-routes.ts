import type { ts as Compiler } from "ts-morph";
import { contentTypeProblem, routeNameProblem } from "../../vocabulary/custom-routes.ts";
import type { RouteSchemas, SchemaPart } from "../definition/definition.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import type { InputFile } from "./files.ts";
import type { JsonMember } from "./json-tree.ts";
import type { ComputedSchema, RawRoute } from "./raw.ts";
import { child, itemsOf, type Located, membersOf, readString } from "./read.ts";
import {
  type CodeFile,
  defaultExport,
  isCallOf,
  literalNode,
  nameOf,
  propertyValue,
  readCode,
  resolveConstant,
  spanOfNode,
  syntaxProblems,
} from "./read-code.ts";
import { readCodeSchema } from "./read-code-schema.ts";
import { readRateLimit } from "./read-manifest.ts";
import { unknownKeywords } from "./unknown-keywords.ts";

/**
 * Reads the routes in `models/routes/`, without running the files. Reports values that are not literals: people review the roles
 * of a route, and runs compare them with the former roles.
 */
export function readRoutes(inputs: readonly InputFile[], report: ReportDiagnostic): RawRoute[] {
  return inputs.flatMap(({ file, text }) => {
    const code = readCode(file, text ?? "");
    const problems = syntaxProblems(code);
    for (const { at, message } of problems) report("invalid-route", at, message);
    return problems.length > 0 ? [] : routesIn(code, report);
  });
}

/** The keys of a route with schemas, besides `answer`. */
const inputKeys = ["params", "query", "body"] as const;

function routesIn(code: CodeFile, report: ReportDiagnostic): RawRoute[] {
  const { source, file, ts } = code;
  const statements = [...source.statements];
  for (const statement of statements)
    if (exportsMore(statement, code)) {
      const hint = "put shared code into a file outside of this folder";
      report(
        "invalid-route",
        spanOfNode(statement, code),
        "a file of routes has a default export and no other export",
        hint,
      );
    }
  const value = defaultExport(code);
  if (value === null) {
    const hint = "write export default defineRoute({ … }), or a list of them";
    report(
      "invalid-route",
      { file, offset: 0, length: 1 },
      "this file of routes has no default export",
      hint,
    );
    return [];
  }
  const calls = ts.isArrayLiteralExpression(value) ? [...value.elements] : [value];
  return calls.flatMap((call) => {
    const route = resolveConstant(call, code);
    if (isCallOf("defineRoute", route, code)) return routeIn(route, code, report);
    const message = ts.isSpreadElement(call)
      ? "a spread of routes cannot be read without running the file"
      : "this is not a route that can be read without running the file";
    const hint = "write defineRoute({ … }) here, or the name of a const of this file that holds it";
    report("invalid-route", spanOfNode(call, code), message, hint);
    return [];
  });
}

/** Whether a statement exports more than types and the default export. */
function exportsMore(statement: Compiler.Statement, { ts, source }: CodeFile): boolean {
  if (ts.isExportAssignment(statement)) return false;
  return /^export\b(?!\s+(?:type|interface|declare)\b)/.test(statement.getText(source));
}

const readKeys = ["method", "path", "name", "description", "access", "rate_limit", "mcp"];

function routeIn(call: Compiler.CallExpression, code: CodeFile, report: ReportDiagnostic): RawRoute[] {
  const at = spanOfNode(call.expression, code);
  const [given] = call.arguments;
  const content = given === undefined ? null : contentIn(given, code);
  if (content !== null) checkContent(content, code, report);
  const schemas = content === null ? [...inputKeys, "answer"] : inputKeys;
  for (const { at: place, message, hint } of unknownKeywords(call, schemas, code))
    report("invalid-route", place, message, hint);
  const members = given === undefined ? null : membersIn(resolveConstant(given, code), code, report);
  if (members === null) return [];
  const of = (key: string) => members.get(key)?.value;
  const [method, path] = [readString(of("method")), readString(of("path"))];
  const access = of("access");
  const roles = itemsOf(access).map(readString);
  const known = roles.filter((role) => role !== null);
  if (method === null || path === null || access?.kind !== "array" || known.length < roles.length) {
    const missing = ["method", "path", "access"].filter((key) => !members.has(key));
    const message =
      missing.length > 0
        ? `a route lacks ${missing.map((key) => `"${key}"`).join(" and ")}`
        : `"method" and "path" are texts, and "access" is a list of roles`;
    report("invalid-route", at, message);
    return [];
  }
  return [
    {
      file: code.file,
      at,
      method,
      path,
      name: nameIn(of("name"), report),
      description: descriptionIn(of("description"), report),
      ...schemasOf(resolveConstant(given ?? call, code), content, code),
      access: { at: access.at, roles: known },
      rateLimit: limitOf(of("rate_limit"), report),
      mcp: toolIn(of("mcp"), report),
    },
  ];
}

function nameIn(node: JsonMember["value"] | undefined, report: ReportDiagnostic): RawRoute["name"] {
  const name = readString(node);
  const problem = node === undefined ? null : routeNameProblem(name?.value);
  if (node === undefined || problem === null) return name;
  const what = name === null ? "of a route" : JSON.stringify(name.value);
  report("route-name-invalid", node.at, `the name ${what} ${problem}`);
  return null;
}

function descriptionIn(node: JsonMember["value"] | undefined, report: ReportDiagnostic): string | null {
  const text = readString(node);
  if (node !== undefined && text === null)
    report("invalid-route", node.at, 'the "description" of a route is a text');
  return text?.value ?? null;
}

function toolIn(node: JsonMember["value"] | undefined, report: ReportDiagnostic): RawRoute["mcp"] {
  if (node === undefined) return null;
  const [name, text] = [child(node, "name"), child(node, "description")];
  const [known, description] = [readString(name), readString(text)];
  const odd = [...membersOf(node)].find(([key]) => key !== "name" && key !== "description");
  if (odd !== undefined) report("invalid-route", odd[1].key, `"${odd[0]}" is not one of name, description`);
  else if (known === null || (text !== undefined && description === null))
    report(
      "invalid-route",
      node.at,
      'the "mcp" of a route is an object with a text "name", and a "description" or none',
    );
  else return { name: known, description: description?.value ?? null };
  return null;
}

function schemasOf(
  route: Compiler.Expression,
  content: ContentAnswer | null,
  code: CodeFile,
): Pick<RawRoute, "schemas" | "computed"> {
  const computed: ComputedSchema[] = [];
  const schema = (part: SchemaPart) => {
    const written = propertyValue(part, route, code);
    if (written === null) return null;
    const literal = readCodeSchema(written, code);
    if (literal === null) computed.push({ part, at: spanOfNode(written, code) });
    return literal ?? {};
  };
  const raw = propertyValue("raw", route, code);
  const contentType = content?.type?.value;
  const schemas: RouteSchemas = {
    params: schema("params"),
    query: schema("query"),
    body: schema("body"),
    raw: raw !== null && resolveConstant(raw, code).kind === code.ts.SyntaxKind.TrueKeyword,
    answer: contentType === undefined ? { schema: schema("answer") ?? {} } : { contentType },
  };
  return { schemas, computed };
}

/** An `answer` with a `content_type`. */
interface ContentAnswer {
  readonly object: Compiler.ObjectLiteralExpression;
  /** Null if it is not a literal text. */
  readonly type: Located<string> | null;
}

/** Null for JSON, or if the answer is not a literal. */
function contentIn(route: Compiler.Expression, code: CodeFile): ContentAnswer | null {
  const answer = propertyValue("answer", resolveConstant(route, code), code);
  const object = answer === null ? null : resolveConstant(answer, code);
  if (object === null || !code.ts.isObjectLiteralExpression(object)) return null;
  const type = propertyValue("content_type", object, code);
  if (type === null) return null;
  return { object, type: readString(literalNode(resolveConstant(type, code), code) ?? undefined) };
}

function checkContent({ object, type }: ContentAnswer, code: CodeFile, report: ReportDiagnostic): void {
  const odd = (at: SourceSpan, message: string) => report("invalid-route", at, message);
  const at = spanOfNode(object, code);
  const problem = type === null ? null : contentTypeProblem(type.value);
  if (type === null) odd(at, '"content_type" of an answer must be a literal');
  else if (problem !== null) odd(type.at, `${JSON.stringify(type.value)} ${problem}`);
  if (type !== null && object.properties.length > 1)
    odd(at, 'an answer with a "content_type" cannot have other keys');
}

/** Reads the keys that must be known as literals. For other keys, only their presence counts. */
function membersIn(
  object: Compiler.Expression,
  code: CodeFile,
  report: ReportDiagnostic,
): Map<string, JsonMember> | null {
  const { ts } = code;
  const odd = (at: SourceSpan, message: string) => {
    report("invalid-route", at, message, "write a literal: the file is not run");
    return null;
  };
  if (!ts.isObjectLiteralExpression(object))
    return odd(spanOfNode(object, code), "a route must be an object literal");
  const members = new Map<string, JsonMember>();
  for (const property of object.properties) {
    if (ts.isSpreadAssignment(property))
      return odd(spanOfNode(property, code), "a spread in a route cannot be read without running the file");
    const name = nameOf(property.name, code);
    if (name === null) return odd(spanOfNode(property, code), "a key of a route must be a plain name");
    if (!readKeys.includes(name)) continue;
    const value = ts.isPropertyAssignment(property) ? literalNode(property.initializer, code) : null;
    if (value === null) return odd(spanOfNode(property, code), `"${name}" of a route must be a literal`);
    members.set(name, { key: spanOfNode(property, code), value });
  }
  return members;
}

const isCount = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1;

/** The valid values of the keys of a limit. */
const limitKeys = new Map<string, readonly [takes: (value: unknown) => boolean, words: string]>([
  ["max_requests", [isCount, "a whole number of at least 1"]],
  ["window_seconds", [isCount, "a whole number of at least 1"]],
  ["per", [(value) => value === "ip" || value === "user", '"ip" or "user"']],
  ["enabled", [(value) => value === false, "false, or is left out"]],
]);

function limitOf(node: JsonMember["value"] | undefined, report: ReportDiagnostic): RawRoute["rateLimit"] {
  if (node === undefined) return null;
  if (node.kind !== "object") {
    report("invalid-route", node.at, 'the "rate_limit" of a route must be an object');
    return null;
  }
  for (const [key, { key: at, value }] of node.members) {
    const [takes, words] = limitKeys.get(key) ?? [null, [...limitKeys.keys()].join(", ")];
    if (takes === null) report("invalid-route", at, `"${key}" is not one of ${words}`);
    else if (value.kind !== "scalar" || !takes(value.value))
      report("invalid-route", value.at, `"${key}" of a limit is ${words}`);
  }
  return readRateLimit(node);
}

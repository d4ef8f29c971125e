import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Json } from "../../vocabulary/json.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";

/** A JSON value with its position. */
export type JsonNode = JsonTreeObject | JsonArray | JsonScalar;

export interface JsonTreeObject {
  readonly kind: "object";
  readonly at: SourceSpan;
  /** In the order of the file. If a key appears twice, the first one counts. */
  readonly members: ReadonlyMap<string, JsonMember>;
}

export interface JsonMember {
  readonly key: SourceSpan;
  readonly value: JsonNode;
}

export interface JsonArray {
  readonly kind: "array";
  readonly at: SourceSpan;
  readonly items: readonly JsonNode[];
}

export interface JsonScalar {
  readonly kind: "scalar";
  readonly at: SourceSpan;
  readonly value: string | number | boolean | null;
}

const maxDepth = 32;

/**
 * Parses strict JSON and reports errors. Comments and trailing commas are errors, because other readers of the manifest reject them.
 * A duplicate key is an error. Null if the text cannot be used.
 */
export function parseJsonTree(file: string, text: string, report: ReportDiagnostic): JsonNode | null {
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== null) {
    report("json-too-deep", { file, offset: tooDeep, length: 1 }, `more than ${maxDepth} levels of nesting`);
    return null;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  reportSyntax(file, text, errors, report);
  if (root === undefined) {
    if (errors.length === 0) report("invalid-json", { file, offset: 0, length: 1 }, "the file is empty");
    return null;
  }
  // After a syntax error the tree can be incomplete, so further messages would be misleading.
  return errors.length > 0 ? null : located(root, file, report);
}

/** The parser is recursive, so this checks the depth before it runs. */
function firstTooDeep(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text.charAt(scanner.getTokenOffset());
    if (first === "{" || first === "[") depth++;
    if (first === "}" || first === "]") depth--;
    if (depth > maxDepth) return scanner.getTokenOffset();
  }
  return null;
}

function reportSyntax(
  file: string,
  text: string,
  errors: readonly ParseError[],
  report: ReportDiagnostic,
): void {
  if (text.startsWith("\ufeff")) {
    report(
      "invalid-json",
      { file, offset: 0, length: 1 },
      "the file begins with a byte order mark",
      "save it as UTF-8 without one",
    );
    return;
  }
  // Further errors are usually consequences of the first one.
  const first = errors[0];
  if (first === undefined) return;
  const before = text.slice(0, first.offset).trimEnd();
  const after = text.charAt(first.offset);
  const at = { file, offset: first.offset, length: first.length };
  if (first.offset >= text.trimEnd().length) {
    report("invalid-json", at, "the file ends before the JSON is complete");
  } else if (before.endsWith(",") && (after === "}" || after === "]")) {
    report("invalid-json", { file, offset: before.length - 1, length: 1 }, "a trailing comma", "remove it");
  } else {
    const message = words(printParseErrorCode(first.error));
    const comment = text.startsWith("/", first.offset);
    report(
      "invalid-json",
      at,
      message,
      comment ? "JSON has no comments; write a `description` instead" : null,
    );
  }
}

/** `CommaExpected` → `comma expected`. */
function words(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

function located(node: Node, file: string, report: ReportDiagnostic): JsonNode {
  const at = { file, offset: node.offset, length: node.length };
  if (node.type === "array") {
    return { kind: "array", at, items: (node.children ?? []).map((child) => located(child, file, report)) };
  }
  if (node.type === "object") return { kind: "object", at, members: members(node, file, report) };
  const value = scalar(node.value);
  if (typeof value === "number" && !Number.isFinite(value))
    report("invalid-json", at, "the number is too large");
  return { kind: "scalar", at, value };
}

function members(node: Node, file: string, report: ReportDiagnostic): Map<string, JsonMember> {
  const found = new Map<string, JsonMember>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const at = { file, offset: key.offset, length: key.length };
    const member = { key: at, value: located(value, file, report) };
    if (found.has(name))
      report("duplicate-key", at, `the key ${JSON.stringify(name)} appears twice in this object`);
    else found.set(name, member);
  }
  return found;
}

function scalar(value: unknown): JsonScalar["value"] {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** The plain value of a node. Objects have no prototype, so `__proto__` is an ordinary key. */
export function plainValue(node: JsonNode): Json {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(plainValue);
  const object: Record<string, Json> = Object.create(null);
  for (const [key, member] of node.members) object[key] = plainValue(member.value);
  return object;
}

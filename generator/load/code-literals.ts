import type { Expression, Node, ObjectLiteralExpression, SourceFile } from "typescript/unstable/ast";
import type { Span } from "../diagnostics/index.ts";
import type { JsonMember, JsonNode } from "./json-tree.ts";

/** What tells nodes of a syntax tree apart; loaded when there is one to look at. */
export type NodeKinds = typeof import("typescript/unstable/ast/is");

/** A file of code, and how its nodes are read. */
export interface CodeFile {
  readonly file: string;
  readonly source: SourceFile;
  readonly is: NodeKinds;
}

/** Where a node stands. */
export function spanOf(node: Node, { file, source }: CodeFile): Span {
  const offset = node.getStart(source);
  return { file, offset, length: Math.max(1, node.end - offset) };
}

/** An expression without what only says something of its type. */
export function bare(expression: Expression, { is }: CodeFile): Expression {
  let at = expression;
  while (is.isAsExpression(at) || is.isSatisfiesExpression(at) || is.isParenthesizedExpression(at))
    at = at.expression;
  return at;
}

/** A value that stands in code as a literal; null where it takes more than a look to know it. */
export function literalNode(expression: Expression, code: CodeFile): JsonNode | null {
  const { is } = code;
  const node = bare(expression, code);
  const at = spanOf(node, code);
  if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node))
    return { kind: "scalar", at, value: node.text };
  if (is.isNumericLiteral(node)) return { kind: "scalar", at, value: Number(node.text.replaceAll("_", "")) };
  const word = node.getText(code.source);
  if (word === "true" || word === "false") return { kind: "scalar", at, value: word === "true" };
  if (is.isArrayLiteralExpression(node)) {
    const items = [...node.elements].flatMap((element) => literalNode(element, code) ?? []);
    return items.length === node.elements.length ? { kind: "array", at, items } : null;
  }
  return is.isObjectLiteralExpression(node) ? objectNode(node, code) : null;
}

function objectNode(object: ObjectLiteralExpression, code: CodeFile): JsonNode | null {
  const members = new Map<string, JsonMember>();
  for (const property of object.properties) {
    if (!code.is.isPropertyAssignment(property)) return null;
    const value = literalNode(property.initializer, code);
    const name = nameOf(property.name, code);
    if (value === null || name === null) return null;
    members.set(name, { key: spanOf(property.name, code), value });
  }
  return { kind: "object", at: spanOf(object, code), members };
}

/** The name of a property; null where it is computed. */
export function nameOf(name: Node, { is }: CodeFile): string | null {
  return is.isIdentifier(name) || is.isStringLiteral(name) ? name.text : null;
}

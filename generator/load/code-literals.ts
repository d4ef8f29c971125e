import type {
  CallExpression,
  Expression,
  Node,
  ObjectLiteralExpression,
  SourceFile,
} from "typescript/unstable/ast";
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

/** What the default export of a file is, without what only says something of its type; null where it has none. */
export function defaultExport(code: CodeFile): Expression | null {
  const { is, source } = code;
  const exported = source.statements.find((statement) => is.isExportAssignment(statement));
  return exported === undefined ? null : settled(exported.expression, code);
}

/** An expression, or what the `const` of the same file holds that it names. */
export function settled(expression: Expression, code: CodeFile): Expression {
  const seen = new Set<Expression>();
  let at = bare(expression, code);
  for (let next = constantOf(at, code); next !== null && !seen.has(next); next = constantOf(at, code)) {
    seen.add(next);
    at = bare(next, code);
  }
  return at;
}

function constantOf(name: Expression, { is, source }: CodeFile): Expression | null {
  if (!is.isIdentifier(name)) return null;
  for (const statement of source.statements) {
    if (!is.isVariableStatement(statement)) continue;
    const { declarationList } = statement;
    if (!/^const\b/.test(declarationList.getText(source))) continue;
    for (const declared of declarationList.declarations)
      if (is.isIdentifier(declared.name) && declared.name.text === name.text)
        return declared.initializer ?? null;
  }
  return null;
}

/** What stands under a key of an object that is written out; null where nothing does. */
export function valueUnder(key: string, object: Expression, code: CodeFile): Expression | null {
  const { is } = code;
  if (!is.isObjectLiteralExpression(object)) return null;
  for (const property of object.properties)
    if (is.isPropertyAssignment(property) && nameOf(property.name, code) === key) return property.initializer;
  return null;
}

/** Whether an expression calls a function of that name. */
export function isCallOf(name: string, node: Expression, { is, source }: CodeFile): node is CallExpression {
  return is.isCallExpression(node) && node.expression.getText(source) === name;
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

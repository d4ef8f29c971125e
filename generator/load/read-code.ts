import type { ts as Compiler } from "ts-morph";
import type { SourceSpan } from "../diagnostics/index.ts";
import { typescriptLibrary } from "../packages/typescript-library.ts";
import type { JsonMember, JsonNode } from "./json-tree.ts";

type Expression = Compiler.Expression;

/** A parsed TypeScript file of the app, or a migration. It is never run. */
export interface CodeFile {
  readonly file: string;
  readonly source: Compiler.SourceFile;
  readonly ts: typeof Compiler;
}

/** Code that is not plain data, or cannot be parsed. */
export class NotData extends Error {
  override readonly name = "NotData";
  /** The position, from the beginning of the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Parses a file. A text with syntax errors has a tree too. */
export function readCode(file: string, text: string): CodeFile {
  const ts = typescriptLibrary();
  return { file, ts, source: ts.createSourceFile(file, text, ts.ScriptTarget.ESNext) };
}

/** The syntax errors of a file, in the order of the text. */
export function syntaxProblems({ file, source, ts }: CodeFile): { at: SourceSpan; message: string }[] {
  const compilerOptions = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
  const options = { fileName: file, reportDiagnostics: true, compilerOptions };
  const { diagnostics = [] } = ts.transpileModule(source.text, options);
  return diagnostics.map(({ start = 0, length = 1, messageText }) => ({
    at: { file, offset: start, length: Math.max(1, length) },
    message: ts.flattenDiagnosticMessageText(messageText, " "),
  }));
}

/** The span of a node. */
export function spanOfNode(node: Compiler.Node, { file, source }: CodeFile): SourceSpan {
  const offset = node.getStart(source);
  return { file, offset, length: Math.max(1, node.end - offset) };
}

/** An expression without type assertions and parentheses. */
export function withoutAssertions(expression: Expression, { ts }: CodeFile): Expression {
  let at = expression;
  while (ts.isAsExpression(at) || ts.isSatisfiesExpression(at) || ts.isParenthesizedExpression(at))
    at = at.expression;
  return at;
}

/** The expression of the default export; null if it does not exist. */
export function defaultExport(code: CodeFile): Expression | null {
  const exported = code.source.statements.find((one) => code.ts.isExportAssignment(one));
  return exported === undefined ? null : resolveConstant(exported.expression, code);
}

/** Replaces the name of a `const` of the same file by its value. Returns other expressions unchanged. */
export function resolveConstant(expression: Expression, code: CodeFile): Expression {
  const seen = new Set<Expression>();
  let at = withoutAssertions(expression, code);
  for (let next = constantOf(at, code); next !== null && !seen.has(next); next = constantOf(at, code)) {
    seen.add(next);
    at = withoutAssertions(next, code);
  }
  return at;
}

function constantOf(name: Expression, code: CodeFile): Expression | null {
  return code.ts.isIdentifier(name) ? constantValue(name.text, code) : null;
}

/** The value of a top-level `const`; null if it does not exist. */
export function constantValue(wanted: string, { ts, source }: CodeFile): Expression | null {
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const { declarationList } = statement;
    if ((declarationList.flags & ts.NodeFlags.Const) === 0) continue;
    for (const { name, initializer } of declarationList.declarations)
      if (ts.isIdentifier(name) && name.text === wanted) return initializer ?? null;
  }
  return null;
}

/** The value of a key in an object literal; null if it does not exist. */
export function propertyValue(key: string, object: Expression, code: CodeFile): Expression | null {
  const { ts } = code;
  if (!ts.isObjectLiteralExpression(object)) return null;
  for (const property of object.properties) {
    if (ts.isPropertyAssignment(property) && nameOf(property.name, code) === key) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property) && property.name.text === key) return property.name;
  }
  return null;
}

/** Whether an expression is a call of a function with this name. */
export function isCallOf(
  name: string,
  node: Expression,
  { ts, source }: CodeFile,
): node is Compiler.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText(source) === name;
}

/** The name of a property; null if it is computed. */
export function nameOf(name: Compiler.Node, { ts }: CodeFile): string | null {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : null;
}

/** The value of a literal, with positions; null for code that would have to run. */
export function literalNode(expression: Expression, code: CodeFile): JsonNode | null {
  try {
    return literal(expression, code, false);
  } catch (error) {
    if (error instanceof NotData) return null;
    throw error;
  }
}

/** The argument of a call as data; undefined without a call. Throws a `NotData` for other code and for syntax errors. */
export function argumentOf(call: Expression | null, code: CodeFile): unknown {
  const [problem] = syntaxProblems(code);
  if (problem !== undefined) throw new NotData(`cannot be read: ${problem.message}`, problem.at.offset);
  const [argument] = call !== null && code.ts.isCallExpression(call) ? call.arguments : [];
  return argument === undefined ? undefined : plain(literal(argument, code, true));
}

/** `spreads` allows lists to spread constants, as long migrations do. */
function literal(expression: Expression, code: CodeFile, spreads: boolean): JsonNode {
  const { ts } = code;
  const node = withoutAssertions(expression, code);
  const at = spanOfNode(node, code);
  const scalar = (value: string | number | boolean | null): JsonNode => ({ kind: "scalar", at, value });
  if (ts.isStringLiteralLike(node)) return scalar(node.text);
  if (ts.isNumericLiteral(node)) return scalar(Number(node.text));
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    if (!ts.isNumericLiteral(node.operand)) throw notData(node.operand, code);
    return scalar(-Number(node.operand.text));
  }
  if (ts.isArrayLiteralExpression(node))
    return { kind: "array", at, items: node.elements.flatMap((one) => itemsOf(one, code, spreads)) };
  if (ts.isObjectLiteralExpression(node))
    return {
      kind: "object",
      at,
      members: new Map(node.properties.map((property) => memberOf(property, code, spreads))),
    };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return scalar(true);
  if (node.kind === ts.SyntaxKind.FalseKeyword) return scalar(false);
  if (node.kind === ts.SyntaxKind.NullKeyword) return scalar(null);
  throw notData(node, code);
}

function itemsOf(node: Expression, code: CodeFile, spreads: boolean): JsonNode[] {
  if (!code.ts.isSpreadElement(node)) return [literal(node, code, spreads)];
  const list = spreads ? constantOf(node.expression, code) : null;
  if (list === null || !code.ts.isArrayLiteralExpression(list)) throw notData(node, code);
  return list.elements.map((one) => literal(one, code, spreads));
}

function memberOf(
  node: Compiler.ObjectLiteralElementLike,
  code: CodeFile,
  spreads: boolean,
): [string, JsonMember] {
  if (!code.ts.isPropertyAssignment(node)) throw notData(node, code);
  const { name: written } = node;
  const computed = code.ts.isComputedPropertyName(written) ? written.expression : null;
  const isText = computed !== null && code.ts.isStringLiteralLike(computed);
  const name = isText ? computed.text : nameOf(written, code);
  if (name === null) throw notData(node, code);
  return [name, { key: spanOfNode(written, code), value: literal(node.initializer, code, spreads) }];
}

function notData(node: Compiler.Node, { source }: CodeFile): NotData {
  const message = "is not data: a migration can contain only strings, numbers, lists and objects";
  return new NotData(message, node.getStart(source));
}

function plain(node: JsonNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(plain);
  return Object.fromEntries([...node.members].map(([name, { value }]) => [name, plain(value)]));
}

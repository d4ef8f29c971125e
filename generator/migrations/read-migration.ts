import type { ts as typescript } from "ts-morph";
import { HistoryError } from "./history-error.ts";
import { isMigrationData, type MigrationData } from "./snapshot-shape.ts";

/** A file that is being read, for messages, and the constants that it declares. */
interface Reading {
  readonly ts: typeof typescript;
  readonly path: string;
  readonly source: typescript.SourceFile;
  readonly constants: ReadonlyMap<string, typescript.Expression>;
}

/**
 * Reads migration files as data: literals, and the lists of steps that a long migration keeps in constants. Nothing is
 * executed. The reader throws a HistoryError where a file holds anything else; it shows `path` to the user.
 */
export async function migrationReader(): Promise<(path: string, text: string) => MigrationData> {
  // The compiler takes a while to load, and most runs need none of this.
  const { ts } = await import("ts-morph");
  return (path, text) => {
    const source = parsed(ts, path, text);
    const reading = { ts, path, source, constants: constantsOf(ts, source) };
    const call = reading.constants.get("migration");
    const [argument] = call !== undefined && ts.isCallExpression(call) ? call.arguments : [];
    if (argument === undefined) throw new HistoryError(`${path} declares no migration`);
    const data = literalValue(argument, reading);
    if (!isMigrationData(data)) throw new HistoryError(`${path} is not a list of migration steps`);
    return data;
  };
}

function parsed(ts: typeof typescript, path: string, text: string): typescript.SourceFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
  const { diagnostics = [] } = ts.transpileModule(text, { fileName: path, reportDiagnostics: true });
  const [error] = diagnostics;
  if (error === undefined) return source;
  const reason = ts.flattenDiagnosticMessageText(error.messageText, " ");
  throw new HistoryError(`${placeOf(source, path, error.start ?? 0)} cannot be read: ${reason}`);
}

function constantsOf(
  ts: typeof typescript,
  source: typescript.SourceFile,
): Map<string, typescript.Expression> {
  const declarations = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  return new Map(
    declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer !== undefined ? [[name.text, initializer] as const] : [],
    ),
  );
}

function literalValue(node: typescript.Expression, reading: Reading): unknown {
  const { ts } = reading;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
    return -numberOf(node.operand, reading);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((part) => elementsOf(part, reading));
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(node.properties.map((property) => entryOf(property, reading)));
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  throw notData(node, reading);
}

function numberOf(node: typescript.Expression, reading: Reading): number {
  if (!reading.ts.isNumericLiteral(node)) throw notData(node, reading);
  return Number(node.text);
}

/** What an element adds to its list: its value, or all that a constant holds. */
function elementsOf(node: typescript.Expression, reading: Reading): unknown[] {
  const { ts, constants } = reading;
  if (!ts.isSpreadElement(node)) return [literalValue(node, reading)];
  const list = ts.isIdentifier(node.expression) ? constants.get(node.expression.text) : undefined;
  if (list === undefined || !ts.isArrayLiteralExpression(list)) throw notData(node, reading);
  return list.elements.map((part) => literalValue(part, reading));
}

function entryOf(node: typescript.ObjectLiteralElementLike, reading: Reading): [string, unknown] {
  const { ts } = reading;
  if (!ts.isPropertyAssignment(node)) throw notData(node, reading);
  const { name, initializer } = node;
  const key = ts.isComputedPropertyName(name) ? name.expression : name;
  if (ts.isIdentifier(key) || ts.isStringLiteralLike(key))
    return [key.text, literalValue(initializer, reading)];
  throw notData(node, reading);
}

function notData(node: typescript.Node, { source, path }: Reading): HistoryError {
  const place = placeOf(source, path, node.getStart(source));
  return new HistoryError(`${place} is no data: a migration holds texts, numbers, lists and objects alone`);
}

function placeOf(source: typescript.SourceFile, path: string, position: number): string {
  const { line, character } = source.getLineAndCharacterOfPosition(position);
  return `${path}:${line + 1}:${character + 1}`;
}

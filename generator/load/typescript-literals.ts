import type { ts as typescript } from "ts-morph";

/** What a file holds is more than data, or cannot be read at all. */
export class NotData extends Error {
  override readonly name = "NotData";
  /** Where, from the beginning of the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The literals of a TypeScript file; nothing of it is executed. They throw a `NotData`. */
export interface Literals {
  /** The argument of the call that a constant is declared with; undefined where there is none. */
  constant(name: string): unknown;
  /** The argument of the call that is exported by default, by its name or as it stands; undefined where there is none. */
  exported(): unknown;
}

/** A file that is being read, and the constants that it declares. */
interface Reading {
  readonly ts: typeof typescript;
  readonly source: typescript.SourceFile;
  readonly constants: ReadonlyMap<string, typescript.Expression>;
}

/** Reads files as data: literals, and the lists that they keep in constants. The reader throws a `NotData` on no TypeScript. */
export async function literalReader(): Promise<(path: string, text: string) => Literals> {
  // The compiler takes a while to load, and most runs need none of this.
  const { ts } = await import("ts-morph");
  return (path, text) => {
    const source = parsed(ts, path, text);
    const reading = { ts, source, constants: constantsOf(ts, source) };
    const argumentOf = (call: typescript.Expression | undefined) => {
      const [argument] = call !== undefined && ts.isCallExpression(call) ? call.arguments : [];
      return argument === undefined ? undefined : literalValue(argument, reading);
    };
    const exported = source.statements.filter(ts.isExportAssignment);
    return {
      constant: (name) => argumentOf(reading.constants.get(name)),
      exported: () => {
        const value = exported[0]?.expression;
        const isNamed = value !== undefined && ts.isIdentifier(value);
        return argumentOf(isNamed ? reading.constants.get(value.text) : value);
      },
    };
  };
}

function parsed(ts: typeof typescript, path: string, text: string): typescript.SourceFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
  const { diagnostics = [] } = ts.transpileModule(text, { fileName: path, reportDiagnostics: true });
  const [error] = diagnostics;
  if (error === undefined) return source;
  const reason = ts.flattenDiagnosticMessageText(error.messageText, " ");
  throw new NotData(`cannot be read: ${reason}`, error.start ?? 0);
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

function notData(node: typescript.Node, { source }: Reading): NotData {
  const message = "is no data: a migration holds texts, numbers, lists and objects alone";
  return new NotData(message, node.getStart(source));
}

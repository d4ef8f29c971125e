import { posix } from "node:path";
import type { ts as Compiler } from "ts-morph";
import { hookNames } from "../../vocabulary/hook-names.ts";
import { readInput } from "./files.ts";
import type { RawModel } from "./raw.ts";
import { type CodeFile, readCode } from "./read-code.ts";
import { type RawFills, readFills } from "./read-fills.ts";

const names: ReadonlySet<string> = new Set(hookNames.model);

/**
 * The hooks that a hook file exports, including re-exports. For warnings before the compile check, which reports unknown hooks.
 */
export async function exportedHooks(
  root: string,
  file: string,
  seen = new Set<string>(),
): Promise<ReadonlySet<string>> {
  seen.add(file);
  const code = readCode(file, (await readInput(root, file)).text ?? "");
  const { ts, source } = code;
  const own = source.statements.flatMap((statement) => namesIn(statement, code));
  const passedOn = source.statements
    .flatMap((one) => (ts.isExportDeclaration(one) && one.exportClause === undefined ? [one] : []))
    .flatMap(({ moduleSpecifier: from }) =>
      from !== undefined && ts.isStringLiteral(from) ? [from.text] : [],
    )
    .filter((path) => path.startsWith("."))
    .map((path) => posix.join(posix.dirname(file), path))
    .filter((path) => !seen.has(path));
  const further = await Promise.all(passedOn.map((path) => exportedHooks(root, path, seen)));
  return new Set([...own.filter((name) => names.has(name)), ...further.flatMap((found) => [...found])]);
}

/** The values that a statement exports by name. */
function namesIn(statement: Compiler.Statement, { ts }: CodeFile): string[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause: clause, isTypeOnly } = statement;
    if (isTypeOnly || clause === undefined || !ts.isNamedExports(clause)) return [];
    return clause.elements.flatMap((one) => (one.isTypeOnly ? [] : [one.name.text]));
  }
  const isExported = ts.canHaveModifiers(statement) && isExport(ts.getModifiers(statement), ts);
  if (!isExported) return [];
  if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => bound(name, ts));
}

function isExport(modifiers: readonly Compiler.Modifier[] | undefined, ts: CodeFile["ts"]): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** The names of a declaration, which can be a destructuring pattern. */
function bound(name: Compiler.BindingName, ts: CodeFile["ts"]): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isBindingElement(one) ? bound(one.name, ts) : []));
}

/** The exports of a model's hook file. */
export interface RawHooks {
  readonly file: string;
  readonly text: string;
  /** Names of the exported hooks. */
  readonly exported: ReadonlySet<string>;
  /** Null without the export `fills`. */
  readonly fills: RawFills | null;
}

/** The hook files of models, by model key. */
export type ModelHooks = ReadonlyMap<string, RawHooks>;

/** Reads the hook files of models. `files` are all hook files by their names. */
export async function readModelHooks(
  root: string,
  models: readonly RawModel[],
  files: ReadonlyMap<string, string>,
): Promise<ModelHooks> {
  const owned = models.flatMap(({ key, builtIn }) => {
    const file = builtIn ? undefined : files.get(key);
    return file === undefined ? [] : [{ key, file }];
  });
  return new Map(
    await Promise.all(owned.map(async ({ key, file }) => [key, await readHooks(root, file)] as const)),
  );
}

async function readHooks(root: string, file: string): Promise<RawHooks> {
  const text = (await readInput(root, file)).text ?? "";
  return { file, text, exported: await exportedHooks(root, file), fills: readFills(file, text) };
}

/**
 * The text of a hook file with comments and template literals blanked out, so that positions stay the same. Strings are kept, even
 * with `//` in them.
 */
export function withoutComments(text: string): string {
  const parts =
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:[^`\\]|\\[\s\S])*`/g;
  return text.replace(parts, (part, kept: string | undefined) => kept ?? part.replace(/[^\n`]/g, " "));
}

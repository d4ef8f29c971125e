import { posix } from "node:path";
import { fillsExport } from "../../vocabulary/hook-names.ts";
import type { Diagnostic, Sources } from "../diagnostics/index.ts";
import { readFills } from "../load/read-fills.ts";
import type { CompileError } from "./compile-check.ts";

/**
 * The diagnostic of an error in the app's code; null for a bug of the generator. If `routes.ts` or `index.ts` has the error at a hook
 * file that it uses, the diagnostic points to the hook.
 */
export function hookDiagnostic(error: CompileError, users: Sources, generated: Sources): Diagnostic | null {
  const own = users.get(error.file);
  if (own !== undefined) return diagnosticAt(error, error.message, own);
  const text = generated.get(error.file);
  const line = text?.split("\n")[error.line - 1] ?? "";
  const subject = line.slice(error.column - 1, error.column - 1 + error.length);
  const hookFile = importsOf(error.file, text ?? "").find(
    ({ name, specifier }) => subject === name || subject.includes(specifier),
  )?.file;
  if (hookFile === undefined) return null;
  const hooks = users.get(hookFile) ?? "";
  return diagnosticAt(placeOf(error, hookFile, hooks), withoutModule(error.message), hooks);
}

/** Drops the first line, which only says with an absolute path that the module has the wrong type. */
function withoutModule(message: string): string {
  const [first = "", ...rest] = message.split("\n");
  const isGeneric = first.startsWith("Argument of type 'typeof import(") && rest.length > 0;
  return isGeneric ? rest.map((line) => line.slice("  ".length)).join("\n") : message;
}

/** The files of the app that a generated file imports: hooks, and in `index.ts` also routes and jobs. */
function importsOf(importer: string, text: string): { name: string; specifier: string; file: string }[] {
  const found = text.matchAll(/import (?:type )?(?:\* as )?(\w+) from "(\.\.\/[^"]+)"/g);
  return [...found].map(([, name = "", specifier = ""]) => ({
    name,
    specifier,
    file: posix.join(posix.dirname(importer), specifier),
  }));
}

/** The first hook that the message names, or the start of the file. */
function placeOf(error: CompileError, file: string, text: string): CompileError {
  const lines = text.split("\n");
  for (const [name] of error.message.matchAll(/\b(?:before|after)_[a-z]+\b/g)) {
    const index = lines.findIndex(
      (line) => new RegExp(`\\b${name}\\b`).test(line) && line.startsWith("export"),
    );
    const column = lines[index]?.indexOf(name) ?? -1;
    if (column >= 0) return { ...error, file, line: index + 1, column: column + 1, length: name.length };
  }
  return { ...error, file, line: 1, column: 1, length: 1 };
}

const longLine = 160;
const longType = 80;

/** If a message is long, puts its last reason first, which is the cause, and shortens long types. */
function pointFirst(message: string): string {
  const lines = message.split("\n");
  if (lines.every((line) => line.length <= longLine)) return message;
  const cut = lines.map((line) =>
    line.replace(/'([^']+)'/g, (type, text: string) =>
      text.length > longType ? `'${text.slice(0, longType)}…'` : type,
    ),
  );
  const point = cut.pop() ?? "";
  return [point.trim(), ...cut.map((line) => `  ${line}`)].join("\n");
}

function diagnosticAt(
  { file, line, column, length }: CompileError,
  message: string,
  text: string,
): Diagnostic {
  return {
    code: "hook-does-not-compile",
    severity: "error",
    message: pointFirst(message).split("\n").join("\n  "),
    hint: `${hintFor(file, message, text)}; \`npm run typecheck\` shows the same errors`,
    file,
    line,
    column,
    length,
  };
}

function hintFor(file: string, message: string, text: string): string {
  if (message.includes("type 'ErrorCode'")) return "declare custom errors in errors.json next to the models";
  const creation = /^\s*export\s.*\b(before_create|before_upsert)\b/m.exec(text)?.[1];
  if (creation !== undefined && message.includes("undefined") && readFills(file, text) === null)
    return `list the required fields that the hook fills in: export const ${fillsExport} = { ${creation}: [] } as const`;
  const ofHook = !/(^|\/)(routes|jobs)\//.test(file);
  return `the types of ${ofHook ? `hooks are in ${typesOf(file)}` : "routes and jobs are in the package kirak"}`;
}

function typesOf(file: string): string {
  return file.endsWith("/hooks/graphql.ts") ? "kirak" : "generated/models/<key>/model.ts";
}

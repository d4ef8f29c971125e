import type { Diagnostic, Sources } from "./diagnostic.ts";

const frameWidth = 120;

/** Prints diagnostics as `path:line:column - error code: message`, each with the line it is about and a hint. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], sources: Sources): string {
  const files = new Set(diagnostics.map((diagnostic) => diagnostic.file));
  const lines = new Map([...files].map((file) => [file, (sources.get(file) ?? "").split(/\r\n|\n|\r/)]));
  return diagnostics.map((diagnostic) => rendered(diagnostic, lines.get(diagnostic.file) ?? [])).join("\n");
}

function rendered(diagnostic: Diagnostic, lines: readonly string[]): string {
  const { file, line, column, severity, code, message, hint } = diagnostic;
  const parts = [`${file}:${line}:${column} - ${severity} ${code}: ${message}`];
  const sourceLine = lines[line - 1];
  if (sourceLine !== undefined && sourceLine.trim() !== "") parts.push(...frame(sourceLine, diagnostic));
  if (hint !== null) parts.push(`  ${hint}`);
  return `${parts.join("\n")}\n`;
}

function frame(line: string, { line: number, column, length }: Diagnostic): string[] {
  // A long line (minified JSON) shows only the surroundings of the place.
  const from = column + length > frameWidth ? Math.max(0, column - 1 - frameWidth / 2) : 0;
  const shown = line.slice(from, from + frameWidth);
  const caretAt = column - 1 - from;
  const blank = shown.slice(0, caretAt).replace(/[^\t]/g, " ");
  const carets = "^".repeat(Math.max(1, Math.min(length, frameWidth - caretAt)));
  const gutter = " ".repeat(String(number).length);
  return [`> ${number} | ${shown}`, `  ${gutter} | ${blank}${carets}`];
}

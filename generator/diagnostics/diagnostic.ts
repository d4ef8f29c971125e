import { catalogue, type DiagnosticCode } from "./catalogue.ts";

/** A problem in the user's files, as plain data (`--json` prints it). Line, column and length are 1-based characters. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** A way out, or null. */
  readonly hint: string | null;
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** At least 1; a span over several lines counts to the end of its first line. */
  readonly length: number;
}

/** A stretch of a source text, in UTF-16 units. */
export interface Span {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** Notes a problem. The hint is a whole sentence or a question. */
export type Report = (code: DiagnosticCode, at: Span, message: string, hint?: string | null) => void;

/** Texts by path relative to the project. */
export type Sources = ReadonlyMap<string, string>;

interface Finding {
  readonly code: DiagnosticCode;
  readonly at: Span;
  readonly message: string;
  readonly hint: string | null;
}

/** Collects problems; `diagnostics` sorts them by file and position and drops repetitions. */
export function createReporter(sources: Sources): { report: Report; diagnostics: () => Diagnostic[] } {
  const findings = new Map<string, Finding>();
  const report: Report = (code, at, message, hint = null) => {
    findings.set(JSON.stringify([code, at.file, at.offset, message]), { code, at, message, hint });
  };
  const diagnostics = () => {
    const starts = new Map([...sources].map(([file, text]) => [file, lineStarts(text)]));
    return [...findings.values()]
      .sort((a, b) => compare(a.at.file, b.at.file) || a.at.offset - b.at.offset)
      .map((finding) =>
        located(finding, sources.get(finding.at.file) ?? "", starts.get(finding.at.file) ?? [0]),
      );
  };
  return { report, diagnostics };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function located({ code, at, message, hint }: Finding, text: string, starts: readonly number[]): Diagnostic {
  const index = lineIndex(starts, at.offset);
  const start = starts[index] ?? 0;
  const end = endOfLine(text, start);
  const length = Math.max(1, Math.min(at.length, end - at.offset));
  const severity = catalogue[code].severity;
  return {
    code,
    severity,
    message,
    hint,
    file: at.file,
    line: index + 1,
    column: at.offset - start + 1,
    length,
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function endOfLine(text: string, start: number): number {
  const rest = text.slice(start).search(/[\r\n]/);
  return rest === -1 ? text.length : start + rest;
}

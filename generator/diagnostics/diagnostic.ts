import { catalogue, type DiagnosticCode, type Severity } from "./catalogue.ts";

/** A problem in the user's files, as plain data (`--json` prints it). */
export interface Diagnostic extends Location {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  /** A hint, or null. */
  readonly hint: string | null;
}

/** A silenced finding, with the reason and its position. */
export interface SilencedDiagnostic {
  readonly diagnostic: Diagnostic;
  readonly reason: string;
  readonly at: Location;
}

/** A place in the user's files. Line and column are 1-based; column and length count UTF-16 units. */
export interface Location {
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** At least 1; a span over several lines counts to the end of its first line. */
  readonly length: number;
}

/** A range of a source text, in UTF-16 units. */
export interface SourceSpan {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * Records a problem. The hint says how to correct it. `also` are further positions of it. `severity` is by default that of the
 * code.
 */
export type ReportDiagnostic = (
  code: DiagnosticCode,
  at: SourceSpan,
  message: string,
  hint?: string | null,
  also?: readonly SourceSpan[],
  severity?: Severity,
) => void;

/** Texts by path relative to the project. */
export type Sources = ReadonlyMap<string, string>;

/** A recorded problem. */
export interface LintFinding {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly at: SourceSpan;
  readonly message: string;
  readonly hint: string | null;
  readonly also: readonly SourceSpan[];
}

/** Collects problems, and drops repetitions. */
export interface Reporter {
  readonly report: ReportDiagnostic;
  readonly findings: () => LintFinding[];
  /** Whether there is an error. */
  readonly hasErrors: () => boolean;
}

export function createReporter(): Reporter {
  const found = new Map<string, LintFinding>();
  const findings = () => [...found.values()];
  const report: ReportDiagnostic = (code, at, message, hint = null, also = [], severity) => {
    found.set(JSON.stringify([code, at.file, at.offset, message]), {
      ...{ code, severity: severity ?? catalogue[code].severity },
      ...{ at, message, hint, also },
    });
  };
  const hasErrors = () => findings().some(({ severity }) => severity === "error");
  return { report, findings, hasErrors };
}

/** Findings as diagnostics, sorted by file and position. */
export function diagnosticsOf(
  findings: readonly LintFinding[],
  locate: (at: SourceSpan) => Location,
): Diagnostic[] {
  return [...findings]
    .sort((a, b) => compare(a.at.file, b.at.file) || a.at.offset - b.at.offset)
    .map(({ code, severity, at, message, hint }) => ({ code, severity, message, hint, ...locate(at) }));
}

/** Finds line and column of places in the given texts. */
export function createLocator(sources: Sources): (at: SourceSpan) => Location {
  const starts = new Map([...sources].map(([file, text]) => [file, lineStarts(text)]));
  return (at) => located(at, sources.get(at.file) ?? "", starts.get(at.file) ?? [0]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function located(at: SourceSpan, text: string, starts: readonly number[]): Location {
  const index = lineIndex(starts, at.offset);
  const start = starts[index] ?? 0;
  const end = endOfLine(text, start);
  const length = Math.max(1, Math.min(at.length, end - at.offset));
  return { file: at.file, line: index + 1, column: at.offset - start + 1, length };
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

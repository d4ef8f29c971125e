import {
  createLocator,
  type Diagnostic,
  diagnosticsOf,
  isSilenceable,
  type LintFinding,
  type SilencedDiagnostic,
  type SourceSpan,
  type Sources,
} from "../diagnostics/index.ts";
import type { StopProblem } from "../diagnostics/stop.ts";
import type { RawLintIgnore, RawManifest, RawModel } from "../load/raw.ts";
import type { Located } from "../load/read.ts";

interface Entry {
  /** Null for the manifest, which covers all files. */
  readonly scope: SourceSpan | null;
  readonly code: Located<string>;
  readonly reason: string;
  /** The definition that it covers, as a phrase. */
  readonly place: string;
}

/** The inputs with `lint_ignore`, and the texts of the files. */
interface Inputs {
  readonly models: readonly RawModel[];
  readonly manifest: RawManifest | null;
  readonly sources: Sources;
}

/** Findings by file and position, and the silenced ones. */
export interface SettledFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly SilencedDiagnostic[];
}

/**
 * Removes the findings that a `lint_ignore` names: first of the field, then of its model, then of the manifest. `ran` says
 * whether the lint of a code ran: then an entry for it that silences nothing is reported.
 */
export function settleFindings(
  findings: readonly LintFinding[],
  { models, manifest, sources }: Inputs,
  ran: (code: string) => boolean,
): SettledFindings {
  const entries = entriesOf(models, manifest);
  const locate = createLocator(sources);
  const used = new Set<Entry>();
  const open: LintFinding[] = [];
  const silenced: SilencedDiagnostic[] = [];
  for (const finding of findings) {
    const isOpen = finding.severity === "error" || !isSilenceable(finding.code);
    const entry = isOpen ? undefined : entries.find((each) => covers(each, finding));
    if (entry === undefined) open.push(finding);
    else {
      used.add(entry);
      const at = locate(entry.code.at);
      for (const diagnostic of diagnosticsOf([finding], locate))
        silenced.push({ diagnostic, reason: entry.reason, at });
    }
  }
  const unused = entries.filter((entry) => !used.has(entry) && ran(entry.code.value)).map(unusedFinding);
  return { diagnostics: diagnosticsOf([...open, ...unused], locate), silenced };
}

/** The nearest definition comes first. */
function entriesOf(models: readonly RawModel[], manifest: RawManifest | null): Entry[] {
  const fields = models.flatMap(({ key, fields }) =>
    fields.flatMap((field) => entriesIn(field.lintIgnore, `field "${field.name}" of model "${key}"`)),
  );
  const whole = models.flatMap((model) => entriesIn(model.lintIgnore, `model "${model.key}"`));
  const service = manifest === null ? [] : entriesIn(manifest.lintIgnore, "the service");
  return [...fields, ...whole, ...service.map((entry) => ({ ...entry, scope: null }))];
}

function entriesIn({ scope, entries }: RawLintIgnore, place: string): Entry[] {
  return entries.map(({ code, reason }) => ({ scope, code, reason: reason.value, place }));
}

function covers({ scope, code }: Entry, { code: found, at, also }: LintFinding): boolean {
  if (code.value !== found) return false;
  return scope === null || [at, ...also].some((place) => isWithin(place, scope));
}

function isWithin({ file, offset }: SourceSpan, scope: SourceSpan): boolean {
  return file === scope.file && offset >= scope.offset && offset < scope.offset + scope.length;
}

function unusedFinding({ code, place }: Entry): LintFinding {
  return {
    code: "unused-lint-ignore",
    severity: "lint",
    at: code.at,
    message: `"${code.value}" silences nothing in ${place}`,
    hint: "remove the entry, or it hides the next finding of this kind",
    also: [],
  };
}

/** The problem that ends a run with open findings. */
export function lintProblem(count: number): StopProblem {
  const message = count === 1 ? "1 finding in the models" : `${count} findings in the models`;
  const fix = 'change the models, or explain in "lint_ignore" why it is intended (docs/lint.md)';
  return { kind: "lint", message, details: "", fix };
}

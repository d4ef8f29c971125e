import { type Finding, isSilenceable, type Span } from "../diagnostics/index.ts";
import type { RawLintIgnore, RawManifest, RawModel } from "../load/raw.ts";
import type { Located } from "../load/read.ts";

/** A finding that somebody has decided about, with the entry of `lint_ignore` that says why. */
export interface Silenced {
  readonly finding: Finding;
  readonly code: Located<string>;
  readonly reason: string;
}

interface Entry {
  /** Null: everywhere. */
  readonly scope: Span | null;
  readonly code: Located<string>;
  readonly reason: string;
  /** What it does not silence, in words. */
  readonly place: string;
}

export interface Settled {
  readonly open: readonly Finding[];
  readonly silenced: readonly Silenced[];
  /** For each entry that silences nothing, a finding that says so. */
  readonly unused: readonly Finding[];
}

/** Takes out the findings that a `lint_ignore` names: of the field first, then of its model, then of the manifest. */
export function silence(
  findings: readonly Finding[],
  models: readonly RawModel[],
  manifest: RawManifest | null,
): Settled {
  const entries = entriesOf(models, manifest);
  const used = new Set<Entry>();
  const open: Finding[] = [];
  const silenced: Silenced[] = [];
  for (const finding of findings) {
    const entry = isSilenceable(finding.code) ? entries.find((each) => covers(each, finding)) : undefined;
    if (entry === undefined) open.push(finding);
    else {
      used.add(entry);
      silenced.push({ finding, code: entry.code, reason: entry.reason });
    }
  }
  return { open, silenced, unused: entries.filter((entry) => !used.has(entry)).map(unusedFinding) };
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

function covers({ scope, code }: Entry, { code: found, at, also }: Finding): boolean {
  if (code.value !== found) return false;
  return scope === null || [at, ...also].some((place) => isWithin(place, scope));
}

function isWithin({ file, offset }: Span, scope: Span): boolean {
  return file === scope.file && offset >= scope.offset && offset < scope.offset + scope.length;
}

function unusedFinding({ code, place }: Entry): Finding {
  return {
    code: "unused-lint-ignore",
    at: code.at,
    message: `nothing of ${place} is silenced by "${code.value}"`,
    hint: "remove the entry: the next finding of this kind would go unseen",
    also: [],
  };
}

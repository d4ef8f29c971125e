import { runtimeColumns } from "../../../vocabulary/fields/runtime-columns.ts";
import { didYouMean, editDistance } from "../../../vocabulary/nearest.ts";
import type { ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import type { ReportDiagnostic } from "../../diagnostics/index.ts";
import { accessMatrixView } from "../../emit/views/access-matrix-view.ts";
import type { RawAcknowledgement } from "../../load/raw.ts";
import type { Located } from "../../load/read.ts";
import { type AcknowledgedFields, holds, isAccessId, type OpenAccess, similarIds } from "./access-ids.ts";
import { parseMatrix } from "./parse-matrix.ts";

/** Longer differences are not typos, and the comparison would be slow. */
const longest = 300;

/**
 * A "did you mean" hint, or null. Ids with conditions over relations are long, so equal beginnings and ends are cut before the
 * comparison.
 */
function meantId(id: string, known: readonly string[]): string | null {
  const short = didYouMean(id, known);
  if (short !== null) return short;
  let best: string | null = null;
  let least = Math.floor(id.length / 3) + 1;
  for (const candidate of known) {
    const [typed, meant] = difference(id.toLowerCase(), candidate.toLowerCase());
    if (Math.max(typed.length, meant.length) > longest) continue;
    const distance = editDistance(typed, meant, least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best === null ? null : `did you mean "${best}"?`;
}

function difference(a: string, b: string): readonly [string, string] {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Reports unknown access ids, empty reasons, and acknowledged access that is not open. */
export function checkAcknowledged(
  entries: readonly RawAcknowledgement[],
  definition: ServiceDefinition | null,
  report: ReportDiagnostic,
): void {
  for (const { reason } of entries) {
    if (reason !== null && reason.value !== "" && isPlaceholder(reason.value))
      report("empty-reason", reason.at, "this is not a reason", "say why this access is intended");
  }
  if (definition === null || entries.length === 0) return;
  const open = {
    ...parseMatrix(accessMatrixView(definition).lines.join("\n")),
    fields: new Map(definition.models.map((model) => [model.key, fieldNames(model)])),
  };
  for (const { id } of entries) checkId(id, open, report);
}

/** Callers cannot set runtime columns. */
function fieldNames({ fields, softDelete }: ModelDefinition): AcknowledgedFields {
  const own = fields.map(({ name }) => name);
  const runtime = runtimeColumns.filter((name) => name !== "deleted_at" || softDelete);
  return { read: new Set([...own, ...runtime]), write: new Set(own) };
}

function checkId({ value: id, at }: Located<string>, open: OpenAccess, report: ReportDiagnostic): void {
  if (holds(id, open)) return;
  const meant = meantId(id, similarIds(id, open));
  if (isAccessId(id)) {
    const message = `${JSON.stringify(id)} is not open`;
    report("stale-acknowledgement", at, message, meant ?? "remove the entry");
  } else {
    const forms = 'examples of ids: "books.fetch to user: all rows" and "books.price read by user"';
    report("unknown-acknowledgement", at, `${JSON.stringify(id)} is not an access id`, meant ?? forms);
  }
}

/** Words that people write instead of a reason. */
const placeholders = /^(todo|fixme|tbd|tba|xxx|why|reason|because|none|nothing|n\/?a|ok|yes|test|later)$/i;

function isPlaceholder(reason: string): boolean {
  const text = reason.trim();
  const words = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return /^[<[{].*[>\]}]$/.test(text) || !/\p{L}/u.test(words) || placeholders.test(words);
}

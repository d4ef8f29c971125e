import { posix } from "node:path";
import { holds, isAccessId, rowsIds } from "../access/acknowledgement.ts";
import { type Matrix, parseMatrix } from "../access/matrix.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { didYouMean, type Report } from "../diagnostics/index.ts";
import { accessMatrixView } from "../emit/views/access-matrix.ts";
import type { JsonNode } from "./json-tree.ts";
import { child, type Located, membersOf, readString } from "./read.ts";

/** An acknowledgement: what is open, and why. */
export interface RawAcknowledgement {
  readonly id: Located<string>;
  readonly reason: Located<string> | null;
}

/** Path of the file of acknowledged access, beside the models file. */
export function acknowledgedPath(models: string): string {
  return posix.join(posix.dirname(models), "access-acknowledged.json");
}

/** Reads the file. Tolerant: the shape check reports what is no string. */
export function readAcknowledged(root: JsonNode): RawAcknowledgement[] {
  return [...membersOf(child(root, "acknowledged"))].map(([id, member]) => ({
    id: { value: id, at: member.key },
    reason: readString(member.value),
  }));
}

/** Reports names that could be nothing, reasons that say nothing, and what is not open. */
export function checkAcknowledged(
  entries: readonly RawAcknowledgement[],
  definition: ServiceDefinition | null,
  report: Report,
): void {
  for (const { reason } of entries) {
    if (reason !== null && reason.value !== "" && isPlaceholder(reason.value))
      report("empty-reason", reason.at, "this is no reason", "say why this access is wanted");
  }
  if (definition === null || entries.length === 0) return;
  const matrix = parseMatrix(accessMatrixView(definition).lines.join("\n"));
  for (const { id } of entries) checkId(id, matrix, report);
}

function checkId({ value: id, at }: Located<string>, matrix: Matrix, report: Report): void {
  if (holds(id, matrix)) return;
  const meant = didYouMean(id, rowsIds(matrix));
  if (isAccessId(id)) {
    const message = `${JSON.stringify(id)} is not open, or not any more`;
    report("stale-acknowledgement", at, message, meant ?? "remove the entry: it acknowledges nothing");
  } else {
    const forms = 'names are like "books.fetch to user: all rows" and "books.price read by user"';
    report("unknown-acknowledgement", at, `${JSON.stringify(id)} names nothing to open`, meant ?? forms);
  }
}

/** Words that people write where a reason should be. */
const placeholders = /^(todo|fixme|tbd|tba|xxx|why|reason|because|none|nothing|n\/?a|ok|yes|test|later)$/i;

function isPlaceholder(reason: string): boolean {
  const text = reason.trim();
  const words = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return /^[<[{].*[>\]}]$/.test(text) || !/\p{L}/u.test(words) || placeholders.test(words);
}

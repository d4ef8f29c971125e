import { sqlStepId } from "../../vocabulary/migrations/sql-migration.ts";
import { escapeInvisible } from "../emit/literal.ts";
import { olderInstances, refusedByDatabases } from "../migrations/consequences.ts";
import {
  conditionLine,
  fieldText,
  openedRowsText,
  pathText,
  pathWords,
  presetLine,
  presetNote,
  rolePhrase,
  rowsNotes,
} from "./access/access-text.ts";
import type { NameChanges } from "./access/model-pairs.ts";
import type { ModelReach } from "./access/new-reach.ts";
import { type NewRoute, routeText } from "./access/route-access.ts";
import type { OpenedRows } from "./access/widened-access.ts";
import { type BreakingChange, unknownApi } from "./api/findings.ts";
import type { MigrationReport } from "./migration-report.ts";
import type { HistoryReport, ReviewReport } from "./report.ts";

/** Most names of one kind that are printed. */
const shown = 12;

/** Prints a report for people: access and breaking changes first, then models, fields, the migration and the files. */
export function printReport(report: ReviewReport, verb: "wrote" | "would write"): string {
  const { models, fields, history, migrations, files } = report;
  const access = accessLines(report);
  const lines = [
    ...(access.length === 0 ? [] : ["WIDER ACCESS", ...access]),
    ...editedLines(report),
    ...breakingLines(report),
    ...nameLines("conditions", report.conditions),
    ...nameLines("models", models),
    ...limited(report.newModels.map(reachLine)),
    ...limited(report.newRoutes.map(newRouteLine)),
    ...nameLines("tools", report.tools),
    ...nameLines("fields", fields),
    ...(report.openFields.length === 0 ? [] : [`  everyone reads ${limited(report.openFields).join(", ")}`]),
    ...(report.accountDeletion === null ? [] : [report.accountDeletion]),
    ...historyLines(history),
    ...migrations.flatMap(migrationLines),
    fileLine(files, verb),
  ];
  return `${lines.join("\n")}\n`;
}

/** The output of `--lint` without findings: how many were silenced. */
export function printLint(silenced: number): string {
  const rest = silenced === 0 ? "" : `; ${silenced} silenced with a reason`;
  return `no findings${rest}\n`;
}

function newRouteLine({ route, roles }: NewRoute): string {
  return `route added: ${route}, open to ${roles.map(rolePhrase).join(", ")}`;
}

function accessLines(report: ReviewReport): string[] {
  const { widenedFields, widenedPaths, widenedConditions, widenedPresets, widenedRoutes } = report;
  // A named condition is one entry for all of its rules.
  const widenedAccess = report.widenedAccess.filter(({ by }) => by === undefined);
  const reason = (text: string | null) => (text === null ? "" : ` (acknowledged: ${escapeInvisible(text)})`);
  return [
    ...widenedAccess.flatMap((entry) => [
      `  ${openedRowsText(entry)}${reason(entry.reason)}`,
      ...noteLines(entry),
    ]),
    ...widenedConditions.flatMap((entry) => [
      `  ${conditionLine(entry)}${reason(entry.reason)}`,
      ...noteLines(entry),
    ]),
    ...widenedFields.map((entry) => `  ${fieldText(entry)}${reason(entry.reason)}`),
    ...widenedRoutes.map((entry) => `  ${routeText(entry)}${reason(entry.reason)}`),
    ...widenedPresets.flatMap((entry) => [
      `  ${presetLine(entry)}${reason(entry.reason)}`,
      `    not proven: ${presetNote(entry)}`,
    ]),
    ...widenedPaths.flatMap((entry) => [
      `  ${pathText(entry)}${reason(entry.reason)}`,
      `    in words: ${pathWords(entry)}`,
    ]),
  ];
}

function noteLines(entry: Pick<OpenedRows, "words" | "unproven" | "over">): string[] {
  const { words, unproven } = rowsNotes(entry);
  return [
    ...(words === null ? [] : [`    in words: ${words}`]),
    ...unproven.map((sentence) => `    not proven: ${sentence}`),
  ];
}

function editedLines({ editedMigrations, base }: ReviewReport): string[] {
  if (editedMigrations.length === 0) return [];
  const files = editedMigrations.map(
    (file) => `  ${escapeInvisible(file)} differs from the file at ${escapeInvisible(base ?? "")}`,
  );
  return ["EDITED MIGRATIONS", ...files, `  ${refusedByDatabases}`];
}

function breakingLines({ breaking, worthKnowing }: ReviewReport): string[] {
  if (breaking === null) return [`breaking changes: ${unknownApi}`];
  const lines = (title: string, changes: readonly BreakingChange[]) => {
    const found = changes.map(({ change, notices }) => `  ${escapeInvisible(change)} (${notices})`);
    return found.length === 0 ? [] : [title, ...limited(found)];
  };
  return [...lines("BREAKING CHANGES", breaking), ...lines("worth knowing:", worthKnowing)];
}

function reachLine({ model, internal, roles }: ModelReach): string {
  if (roles.length === 0) return `  ${model} is ${internal ? "internal" : "open to no one"}`;
  if (internal)
    return `  ${model} is internal, and open to joins over ${roles.map(({ role }) => role).join(", ")}`;
  const open = roles.map(({ role, operations }) => `open to ${rolePhrase(role)} by ${operations.join(", ")}`);
  return `  ${model} is ${open.join("; ")}`;
}

function nameLines(noun: string, { added, removed, renamed }: NameChanges): string[] {
  const line = (verb: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${noun} ${verb}: ${limited(names).join(", ")}`];
  return [...line("added", added), ...line("removed", removed), ...line("renamed", renamed)];
}

function historyLines({ derived, rebased }: HistoryReport): string[] {
  const lines =
    derived === null ? [] : [`migrations/schema.json ${derived}: derived from the migrations again`];
  if (rebased === null) return lines;
  const { removed, moved, onto, by } = rebased;
  const base = onto ?? "nothing";
  const kept = moved.length === 0 ? [] : [`${moved.join(", ")} placed again, on top of ${base}`];
  if (removed.length === 0) return [...lines, ...kept];
  const line =
    by === null
      ? `${removed.join(", ")} removed: ${base} already makes all of its changes`
      : `${removed.join(", ")} replaced by ${by}, on top of ${base}`;
  return [...lines, line, ...kept];
}

function migrationLines({ name, steps }: MigrationReport): string[] {
  const counts = (["additive", "widening", "destructive"] as const)
    .map((kind) => ({ kind, count: steps.filter((step) => step.class === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`);
  const loud = steps
    .filter((step) => step.class === "destructive")
    .map(({ id, why }) => `  DESTRUCTIVE ${id}${why === null ? "" : `: ${why}`}`);
  const older = steps.filter(({ breaksOlder }) => breaksOlder).map(({ id }) => id);
  const fails = older.length === 0 ? [] : [`  ${olderInstances}: ${limited(older).join(", ")}`];
  const own = steps.some(({ id }) => id === sqlStepId(name)) ? "custom SQL, " : "";
  return [`migration ${name}: ${own}${counts.join(", ")}`, ...loud, ...fails];
}

function fileLine({ written, removed, unchanged }: ReviewReport["files"], verb: string): string {
  if (written.length === 0 && removed.length === 0) return `nothing to do: ${files(unchanged)} up to date`;
  const gone = removed.length === 0 ? "" : `, removed ${files(removed.length)}`;
  return `${verb} ${files(written.length)}${gone}, ${unchanged} unchanged`;
}

function files(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function limited(names: readonly string[]): string[] {
  return names.length <= shown
    ? [...names]
    : [...names.slice(0, shown), `… and ${names.length - shown} more`];
}

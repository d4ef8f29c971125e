import { type Diagnostic, isFinding } from "../diagnostics/index.ts";
import type { StopProblem } from "../diagnostics/stop.ts";
import { escapeInvisible } from "../emit/literal.ts";
import { olderInstances, refusedByDatabases } from "../migrations/consequences.ts";
import type {
  WidenedCondition,
  WidenedField,
  WidenedPath,
  WidenedPreset,
  WidenedRoute,
  WidenedRows,
} from "./access/access-changes.ts";
import {
  conditionLine,
  pathText,
  pathWords,
  presetLine,
  presetNote,
  rolePhrase,
  rowsNotes,
  rowsPhrase,
} from "./access/access-text.ts";
import type { NameChanges } from "./access/model-pairs.ts";
import type { ModelReach } from "./access/new-reach.ts";
import { type NewRoute, routeText } from "./access/route-access.ts";
import { type BreakingChange, unknownApi } from "./api/findings.ts";
import type { MigrationReport } from "./migration-report.ts";
import type { ReviewReport } from "./report.ts";

/** Any text as a code span on one line. Markup, HTML, mentions and links in it have no effect. */
export function inlineCode(text: string): string {
  const shown = escapeInvisible(text);
  if (shown === "") return "(nothing)";
  const fence = "`".repeat(longestRun(shown) + 1);
  // Markdown drops a space inside the fence if both sides have one.
  const pad = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Kirak's own text, with markup and HTML escaped: it can contain names of models. */
export function inMarkdown(text: string): string {
  return escapeInvisible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_{}[\]#|~!@]/g, "\\$&");
}

/** Longest block: lines, and characters per line. The log of the run has the full text. */
const blockLines = 60;
const lineLength = 300;

/** Text as a code block. Long text is cut, and nothing in it can end the block. */
export function fenced(text: string): string {
  const all = text.replace(/^\n+|\s+$/g, "").split("\n");
  const lines = all.slice(0, blockLines).map(shortened);
  if (all.length > blockLines) lines.push(`… and ${all.length - blockLines} more lines`);
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [fence, ...lines, fence].join("\n");
}

function shortened(line: string): string {
  const characters = [...escapeInvisible(line)];
  return characters.length <= lineLength
    ? characters.join("")
    : `${characters.slice(0, lineLength).join("")}…`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Most entries of a list that are printed. Wider access is never cut. */
const shown = 50;

/** The results of a run. */
export interface MarkdownRun {
  readonly report: ReviewReport | null;
  readonly problems: readonly StopProblem[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Prints a report for a pull request: the most important sections first, without empty sections. */
export function printMarkdown({ report, problems, diagnostics }: MarkdownRun): string {
  const open = problemItems(problems, diagnostics);
  const sections = [
    section("Not done yet", open, open.length),
    ...(report === null ? [] : reportSections(report)),
  ].filter((text) => text !== "");
  const since = report === null || report.base === null ? "" : ` since ${inlineCode(report.base)}`;
  const nothing =
    report !== null && sections.length === 0 ? ["No change for callers, roles or the database."] : [];
  const files = report === null ? [] : [fileLine(report.files)];
  return `${[`## Generated changes${since}`, ...sections, ...nothing, ...files].join("\n\n")}\n`;
}

function reportSections(report: ReviewReport): string[] {
  const { breaking, models, fields, newModels, openFields, migrations } = report;
  const widened = [
    // A named condition is one entry for all of its rules.
    ...report.widenedAccess.filter(({ by }) => by === undefined).map(widenedLine),
    ...report.widenedConditions.map(widenedConditionLine),
    ...report.widenedFields.map(widenedFieldLine),
    ...report.widenedPresets.map(widenedPresetLine),
    ...report.widenedRoutes.map(widenedRouteLine),
    ...report.widenedPaths.map(widenedPathLine),
  ];
  const changes = (all: readonly BreakingChange[]) =>
    all.map(({ change, notices }) => `${inlineCode(change)}: ${inMarkdown(notices)}`);
  return [
    section("⚠️ Widened access", widened, widened.length),
    section(
      "⚠️ Edited migrations",
      report.editedMigrations.map((file) => `${inlineCode(file)}: ${inMarkdown(refusedByDatabases)}`),
    ),
    section("Breaking changes", breaking === null ? [inMarkdown(unknownApi)] : changes(breaking)),
    section("Worth knowing", changes(report.worthKnowing)),
    section("Conditions", nameLines(report.conditions, [])),
    section("Models", nameLines(models, newModels)),
    section("Routes", report.newRoutes.map(newRouteLine)),
    section("Tools", nameLines(report.tools, [])),
    section("Fields", [
      ...nameLines(fields, []),
      ...(openFields.length === 0 ? [] : [`everyone reads ${openFields.map(inlineCode).join(", ")}`]),
    ]),
    section("Accounts", report.accountDeletion === null ? [] : [inMarkdown(report.accountDeletion)]),
    section("Migration", migrations.flatMap(migrationLines)),
  ];
}

function section(title: string, lines: readonly string[], limit = shown): string {
  if (lines.length === 0) return "";
  const more = lines.length > limit ? [`… and ${lines.length - limit} more`] : [];
  return [`### ${title}`, "", ...[...lines.slice(0, limit), ...more].map((line) => `- ${line}`)].join("\n");
}

function widenedLine(entry: WidenedRows): string {
  const { operation, along, role, rows, instead, over, id, reason } = entry;
  const others = along.length === 0 ? "" : ` (with ${along.map(inlineCode).join(", ")})`;
  const before = instead === null ? "nothing" : inlineCode(rowsPhrase(instead));
  const line = `${inlineCode(operation)}${others} opens ${inlineCode(rowsPhrase(rows))} to ${inlineCode(rolePhrase(role))}; before: ${before}.`;
  const parts = [
    line,
    ...noteTexts(entry),
    // If paths lead elsewhere, the paths are acknowledged, not the rows.
    ...(over !== undefined && reason === null ? [] : [reasonOf(id, reason)]),
  ];
  return parts.join(" ");
}

function noteTexts(entry: Pick<WidenedRows, "words" | "unproven" | "over">): string[] {
  const { words, unproven } = rowsNotes(entry);
  return [
    ...(words === null ? [] : [`In words: ${inlineCode(words)}.`]),
    ...unproven.map((sentence) => `Not proven: ${inlineCode(sentence)}.`),
  ];
}

function widenedConditionLine(entry: WidenedCondition): string {
  const line = `${inlineCode(conditionLine(entry))}.`;
  return [line, ...noteTexts(entry), reasonOf(entry.id, entry.reason)].join(" ");
}

function widenedPathLine(entry: WidenedPath): string {
  return `${inlineCode(pathText(entry))}. In words: ${inlineCode(pathWords(entry))}. ${reasonOf(entry.id, entry.reason)}`;
}

function widenedFieldLine({ field, gate, role, id, reason }: WidenedField): string {
  return `${inlineCode(field)} can be ${gate === "read" ? "read" : "written"} by ${inlineCode(rolePhrase(role))}. ${reasonOf(id, reason)}`;
}

function widenedRouteLine(entry: WidenedRoute): string {
  return `${inlineCode(routeText(entry))}. ${reasonOf(entry.id, entry.reason)}`;
}

function newRouteLine({ route, roles }: NewRoute): string {
  return `added ${inlineCode(route)}: ${roles.map((role) => inlineCode(rolePhrase(role))).join(", ")}`;
}

function widenedPresetLine(entry: WidenedPreset): string {
  return `${inlineCode(presetLine(entry))}. Not proven: ${inlineCode(presetNote(entry))}. ${reasonOf(entry.id, entry.reason)}`;
}

function reasonOf(id: string, reason: string | null): string {
  return reason === null
    ? `**Not acknowledged** as ${inlineCode(id)}`
    : `Acknowledged: ${inlineCode(reason)}`;
}

function nameLines(names: NameChanges, reach: readonly ModelReach[]): string[] {
  return (["added", "removed", "renamed"] as const).flatMap((verb) =>
    names[verb].map((name) => {
      const open = reach.find(({ model }) => model === name);
      return `${verb} ${inlineCode(name)}${open === undefined ? "" : `: ${reachText(open)}`}`;
    }),
  );
}

function reachText({ internal, roles }: ModelReach): string {
  if (roles.length === 0) return internal ? "internal" : "open to no one";
  if (internal) return `joins over ${roles.map(({ role }) => inlineCode(role)).join(", ")}`;
  return roles
    .map(
      ({ role, operations }) => `${inlineCode(rolePhrase(role))} by ${operations.map(inlineCode).join(", ")}`,
    )
    .join("; ");
}

/** Steps by class, destructive ones first. Additive steps are only counted. */
function migrationLines({ name, steps }: MigrationReport): string[] {
  const loud = (["destructive", "widening"] as const).flatMap((kind) =>
    steps
      .filter((step) => step.class === kind)
      .map(({ id, why }) => {
        const label = kind === "destructive" ? "**destructive**" : kind;
        return `${inlineCode(name)} ${label} ${inlineCode(id)}${why === null ? "" : `: ${inMarkdown(why)}`}`;
      }),
  );
  const additive = steps.filter((step) => step.class === "additive").length;
  const count = additive === 1 ? "1 additive step" : `${additive} additive steps`;
  const older = steps.filter(({ breaksOlder }) => breaksOlder).map(({ id }) => inlineCode(id));
  return [
    ...loud,
    ...(additive === 0 ? [] : [`${inlineCode(name)} ${count}`]),
    ...(older.length === 0 ? [] : [`${inlineCode(name)}: **${olderInstances}**: ${older.join(", ")}`]),
  ];
}

function fileLine({ written, removed, unchanged }: ReviewReport["files"]): string {
  if (written.length + removed.length === 0) return `Files: ${unchanged} up to date.`;
  return `Files: ${written.length} to write, ${removed.length} to remove, ${unchanged} up to date.`;
}

/** List items for the reasons why the run stopped: errors in the files, then problems with details. */
function problemItems(problems: readonly StopProblem[], diagnostics: readonly Diagnostic[]): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return [
    ...capped(errors.map(place)),
    ...problems.map((problem) => {
      const found = problem.kind === "lint" ? diagnostics.filter((each) => isFinding(each.code)) : [];
      return item(
        problem,
        capped(found.map(place)).map((line) => `- ${line}`),
      );
    }),
  ];
}

function item({ message, details, fix }: StopProblem, findings: readonly string[]): string {
  const parts = [
    message.split("\n").map(inlineCode).join("; "),
    findings.join("\n"),
    details === "" ? "" : fenced(details),
    fix === "" ? "" : `To go on: ${inlineCode(fix)}`,
  ].filter((part) => part !== "");
  // Indented lines belong to the list item.
  return parts.join("\n\n").replaceAll(/\n(?=[^\n])/g, "\n  ");
}

function place({ file, line, code: name, message }: Diagnostic): string {
  return inlineCode(`${file}:${line} ${name} ${message}`);
}

function capped(lines: readonly string[]): string[] {
  if (lines.length <= shown) return [...lines];
  return [...lines.slice(0, shown), `… and ${lines.length - shown} more`];
}

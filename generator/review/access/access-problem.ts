import type { StopProblem } from "../../diagnostics/stop.ts";
import { matrixPath } from "../../output/output-files.ts";
import type { Widened, WidenedCondition, WidenedField, WidenedRows } from "./access-changes.ts";
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
  rowsPhrase,
} from "./access-text.ts";
import { routeText } from "./route-access.ts";

/** The file of acknowledgements, and the command to run after an edit. */
export interface AccessFacts {
  readonly file: string;
  /** Whether the file exists. */
  readonly exists: boolean;
  /** Reasons by access id. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly command: string;
}

/** Reports wider access without an acknowledgement, with the exact lines to add. */
export function wideningProblem(missing: readonly Widened[], facts: AccessFacts): StopProblem[] {
  if (missing.length === 0) return [];
  const groups = accessGroups(missing);
  const lines = groups.flatMap(groupLines).map((line) => `  ${line}\n`);
  const more = facts.acknowledged.size > 0 ? "," : "";
  const entries = groups.flat().map(({ id }, index) => {
    const comma = index < missing.length - 1 ? "," : more;
    return `    ${JSON.stringify(id)}: "<why>"${comma}\n`;
  });
  const text = facts.exists
    ? `add to "acknowledged" in ${facts.file}:\n\n${entries.join("")}\n`
    : `write ${facts.file}:\n\n${fileOf(facts.file, entries.join(""))}\n`;
  const message = "WIDER ACCESS that is not acknowledged; nothing was written";
  const fix = `replace each <why> with a reason, or revert the change; then run ${facts.command}`;
  return [{ kind: "access", message, details: `${lines.join("")}\n${text}`, fix }];
}

function fileOf(path: string, entries: string): string {
  const schema = `${"../".repeat(path.split("/").length - 1) || "./"}schemas/access-acknowledged.schema.json`;
  return `{\n  "$schema": ${JSON.stringify(schema)},\n  "acknowledged": {\n${entries}  }\n}\n`;
}

/** Reports that the former access is unknown: the matrix is missing or was edited. `command` compares with HEAD. */
export function unknownAccessProblem(out: string, merged: boolean, command: string): StopProblem {
  const reason = merged ? "was changed by a merge" : "was changed since the last run";
  return {
    kind: "access",
    message: `${out}/${matrixPath} ${reason}, so Kirak cannot tell which access is new`,
    details: "",
    fix: `restore it from version control, or compare with a commit: ${command}`,
  };
}

/** Similar entries share a heading from this number on. */
const many = 3;

/** Groups similar entries of one role: a renamed role has such entries in many models. */
function accessGroups(entries: readonly Widened[]): Widened[][] {
  const groups = new Map<string, Widened[]>();
  for (const entry of entries) {
    const key = JSON.stringify(kindOf(entry));
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}

/** The properties that similar entries share. */
function kindOf(entry: Widened): unknown {
  if ("rows" in entry) return [entry.role, entry.rows, entry.instead, entry.words, entry.unproven];
  return "gate" in entry ? [entry.role, entry.gate] : [entry.id];
}

/** One line for each entry of a group, or a heading and one line for each model. */
function groupLines(group: readonly Widened[]): string[] {
  const [first] = group;
  if (first === undefined || group.length < many) return group.flatMap(entryLines);
  const models = new Map<string, string[]>();
  for (const entry of group) {
    if (!isInModel(entry)) continue;
    const [model = "", name = ""] = ("rows" in entry ? entry.operation : entry.field).split(".");
    models.set(model, [...(models.get(model) ?? []), name + along(entry)]);
  }
  return [...heading(first), ...[...models].map(([model, names]) => `  ${model}: ${names.join(", ")}`)];
}

function entryLines(entry: Widened): string[] {
  if ("rows" in entry) return [openedRowsText(entry), ...noteLines(entry)];
  if ("usedBy" in entry) return [conditionLine(entry), ...noteLines(entry)];
  if ("route" in entry) return [routeText(entry)];
  if ("preset" in entry) return [presetLine(entry), `  not proven: ${presetNote(entry)}`];
  return "path" in entry ? [pathText(entry), `  in words: ${pathWords(entry)}`] : [fieldText(entry)];
}

/** Indented lines below the entry. */
function noteLines(entry: WidenedRows | WidenedCondition): string[] {
  const { words, unproven } = rowsNotes(entry);
  return [
    ...(words === null ? [] : [`  in words: ${words}`]),
    ...unproven.map((sentence) => `  not proven: ${sentence}`),
  ];
}

/** Whether an entry is about an operation or a field of a model, as others in other models can be too. */
function isInModel(entry: Widened): entry is WidenedRows | WidenedField {
  return "rows" in entry || "gate" in entry;
}

function heading(entry: Widened): string[] {
  if (!isInModel(entry)) return [];
  if (!("rows" in entry))
    return [`can be ${entry.gate === "read" ? "read" : "written"} by ${rolePhrase(entry.role)}:`];
  const before = entry.instead === null ? "nothing" : rowsPhrase(entry.instead);
  return [
    `opens ${rowsPhrase(entry.rows)} to ${rolePhrase(entry.role)}; before: ${before}:`,
    ...noteLines(entry),
  ];
}

function along(entry: Widened): string {
  return "rows" in entry && entry.along.length > 0 ? ` (with ${entry.along.join(" and ")})` : "";
}

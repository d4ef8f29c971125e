import { everyRole, selfRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import { isOnWrite } from "../../../vocabulary/fields/presets.ts";
import { allRows, splitRows } from "../../emit/views/matrix-layout.ts";
import { hopsIn, type PathHop } from "../../emit/views/path-hops.ts";
import type { OpenedCondition } from "./condition-changes.ts";
import type { OpenedField, OpenedPath, OpenedRows } from "./widened-access.ts";
import type { OpenedPreset } from "./widened-presets.ts";

/** Not an operation: the access to an internal model through joins. */
const join = ".join";

/** `books.fetch, with count and exists, opens all rows to everyone, and opened published = true before`. */
export function openedRowsText({ operation, along, role, rows, instead }: OpenedRows): string {
  const before = instead === null ? "nothing" : rowsPhrase(instead);
  if (operation.endsWith(join))
    return `${role} joins ${rowsPhrase(rows)} of ${operation.slice(0, -join.length)}, which is internal; before: ${before}`;
  const others = along.length === 0 ? "" : `, with ${along.join(" and ")},`;
  return `${operation}${others} opens ${rowsPhrase(rows)} to ${rolePhrase(role)}; before: ${before}`;
}

/** `books.price can be read by everyone`. */
export function fieldText({ field, gate, role }: OpenedField): string {
  return `${field} can be ${gate === "read" ? "read" : "written"} by ${rolePhrase(role)}`;
}

/** `tasks.owner_id gets {user.team_lead} in new rows of user; before: {user_id}`. With a preset on write: `in rows of user`. */
export function presetLine({ model, field, preset, before, roles }: OpenedPreset): string {
  const [now, was] = [preset, before].map((text) => text ?? "nothing");
  const rows = [preset, before].some(isOnWrite) ? "rows" : "new rows";
  return `${model}.${field} gets ${now} in ${rows} of ${roles.map(rolePhrase).join(", ")}; before: ${was}`;
}

/** The part of a preset change that could not be proven. */
export function presetNote({ field, rules }: OpenedPreset): string {
  return `that ${rules.join(", ")}, whose rules depend on ${field}, open these rows to no one else`;
}

/** Notes on conditions that are hard to read: both in words, and the parts that could not be proven. */
export function rowsNotes({
  words,
  unproven = [],
  over = [],
}: Pick<OpenedRows, "words" | "unproven" | "over">): RowsNotes {
  const before = words === undefined || words.instead === null ? "" : `; before: ${words.instead}`;
  return {
    words: words === undefined ? null : `${words.rows}${before}`,
    // Each path has its own entry with its target.
    unproven:
      over.length > 0
        ? over.map((path) => `that ${path} leads where it led before`)
        : unproven.map((sentence) => `that they fulfil ${sentence}, as before`),
  };
}

/** Null or empty if there is no note. */
export interface RowsNotes {
  readonly words: string | null;
  readonly unproven: readonly string[];
}

/** `tasks: the path project leads by tasks.project_id > projects.id; before: …; it opens fetch to user`. */
export function pathText({ model, path, leads, before, opens }: OpenedPath): string {
  return `${model}: the path ${path} of its rules leads by ${leads}; before: ${before}; it opens ${opens.join("; ")}`;
}

/** Most operations that a line names. */
const mostNamed = 2;

/** `member is wider: the rows with …; before: the rows with … (used by tasks.fetch, tasks.search and 12 more)`. */
export function conditionLine({ name, text, before, wider, usedBy }: OpenedCondition): string {
  const more = usedBy.length - mostNamed;
  const named = more > 0 ? [usedBy.slice(0, mostNamed).join(", "), `${more} more`] : usedBy;
  const users = more > 0 ? named.join(" and ") : named.join(", ");
  const change = wider ? "wider" : "narrower, and rules negate it";
  return `${name} is ${change}: ${rowsPhrase(text)}; before: ${rowsPhrase(before)} (used by ${users})`;
}

/** A role in a sentence. */
export function rolePhrase(role: string): string {
  if (role === signedInRole) return "everyone who signed in";
  if (role === selfRole) return "the owner of the account";
  return role === everyRole ? "everyone" : role;
}

/** The rows of an entry, in a sentence. */
export function rowsPhrase(rows: string): string {
  return rows === allRows || splitRows(rows).fields !== null ? rows : `the rows with ${rows}`;
}

/** The changes of a path, one sentence for each relation: `"memberships" counts deleted rows now`. */
export function pathWords({ path, leads, before }: OpenedPath): string {
  const [after, former] = [hopsIn(path, leads), hopsIn(path, before)];
  const sentences = path.split(".").flatMap((name, index) => {
    const [now, was] = [after[index], former[index]];
    return now === undefined || was === undefined ? [] : changes(JSON.stringify(name), now, was);
  });
  return sentences.join("; ");
}

function changes(name: string, now: PathHop, was: PathHop): string[] {
  if (places(now) !== places(was))
    return [`${name} leads to ${rowsOfHop(now)} now, and led to ${rowsOfHop(was)}`];
  return [
    ...(now.first === was.first
      ? []
      : [`${name} leads to ${rowsOfHop(now)} now, and led to ${rowsOfHop(was)}`]),
    ...(now.live === was.live
      ? []
      : [`${name} ${now.live ? "leaves deleted rows out" : "counts deleted rows"} now`]),
  ];
}

function places({ from, sign, to }: PathHop): string {
  return JSON.stringify([from, sign, to]);
}

/** `the row of projects whose id is the project_id of tasks` */
function rowsOfHop({ from, sign, to, first }: PathHop): string {
  const rows = sign === ">" ? "the row" : first ? "the first row" : "the rows";
  return `${rows} of ${to.model} whose ${to.column} is the ${from.column} of ${from.model}`;
}

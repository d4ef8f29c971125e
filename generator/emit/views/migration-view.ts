import type { Step } from "../../../vocabulary/migrations/migration-steps.ts";
import { sqlStepId } from "../../../vocabulary/migrations/sql-migration.ts";
import { olderNote } from "../../migrations/migration-header.ts";
import type { CustomLink, PlannedMigration } from "../../migrations/plan.ts";
import { type Import, importFromKirak } from "../file.ts";
import { escapeInvisible, literal, stringLiteral } from "../literal.ts";

/** The view of `templates/migration.hbs`: one migration, with its steps as data. */
export interface MigrationView {
  readonly imports: readonly Import[];
  readonly name: string;
  readonly parent: string;
  /** One line for each class of steps, each accepted destructive step, and each step that affects running instances. */
  readonly notes: readonly string[];
  /** Parts of long lists of steps, as constants. */
  readonly parts: readonly PartView[];
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** Whether it describes what a database has. */
  readonly isFound: boolean;
  /** The objects of this database that migrations do not make. */
  readonly found: readonly string[];
}

interface PartView {
  readonly name: string;
  readonly steps: readonly string[];
}

/** TypeScript compares all elements of an array literal with each other, and fails on thousands of steps. */
const partSize = 100;

/** The view of `migrations/<name>.ts`. */
export function migrationView(migration: PlannedMigration): MigrationView {
  const up = inParts(
    "up",
    migration.changes.map(({ step }) => step),
  );
  const down = inParts("down", migration.down);
  const parts = [...up.parts, ...down.parts];
  return {
    imports: [
      {
        from: importFromKirak("migrations"),
        names: ["defineMigration", ...(parts.length === 0 ? [] : ["type Step"])],
      },
    ],
    name: stringLiteral(migration.name),
    parent: literal(migration.parent),
    notes: notesOf(migration),
    parts,
    up: up.elements,
    down: down.elements,
    isFound: migration.found !== undefined,
    found: (migration.found ?? []).map((object) => literal({ ...object })),
  };
}

/** The elements of a list of steps: the steps, or spreads of parts for a long list. */
function inParts(name: string, steps: readonly Step[]): { elements: string[]; parts: PartView[] } {
  const texts = steps.map((step) => literal({ ...step }));
  if (texts.length <= partSize) return { elements: texts, parts: [] };
  const parts = Array.from({ length: Math.ceil(texts.length / partSize) }, (_, index) => ({
    name: `${name}${index + 1}`,
    steps: texts.slice(index * partSize, (index + 1) * partSize),
  }));
  return { elements: parts.map((part) => `...${part.name}`), parts };
}

function notesOf({ changes, found }: PlannedMigration): string[] {
  const additive = changes.filter((change) => change.class === "additive").length;
  const others = changes.filter((change) => change.class !== "additive");
  const accepted = found === undefined ? "accepted with --accept-destructive" : "accepted as found";
  return [
    ...(found === undefined
      ? []
      : ["Found in a database. A database that has these changes already only records them."]),
    ...(additive === 0 ? [] : [`Additive: ${additive} ${additive === 1 ? "step" : "steps"}.`]),
    ...others.map(({ id, class: kind }) =>
      kind === "widening"
        ? `Widening: ${escapeInvisible(id)}`
        : `Destructive: ${escapeInvisible(id)}, ${accepted}`,
    ),
    ...changes
      .filter(({ rewrites }) => rewrites === true)
      .map(
        ({ id }) => `Rewrites the whole table, and blocks all access to it meanwhile: ${escapeInvisible(id)}`,
      ),
    ...changes
      .filter(({ breaksOlder }) => breaksOlder === true)
      .map(({ id }) => `${olderNote} ${escapeInvisible(id)}`),
  ];
}

/** The view of `templates/migration-link.hbs`: the place of custom SQL in the chain. */
interface MigrationLinkView {
  readonly imports: readonly Import[];
  readonly name: string;
  readonly parent: string;
  readonly note: string;
}

/** The view of `migrations/<name>.ts` for a file of `models/migrations/`. */
export function migrationLinkView(link: CustomLink): MigrationLinkView {
  return {
    imports: [
      { from: importFromKirak("migrations"), names: ["linkMigration"] },
      { from: link.file, main: "sql" },
    ],
    name: stringLiteral(link.name),
    parent: literal(link.parent),
    note: noteOf(link),
  };
}

/** The class of custom SQL, in the same words as the headers of other migrations. */
function noteOf(link: CustomLink): string {
  const id = sqlStepId(link.name);
  if (link.class === "destructive") return `Destructive: ${id}, accepted with --accept-destructive`;
  return link.class === "breaks-older-code" ? `${olderNote} ${id}` : "Additive.";
}

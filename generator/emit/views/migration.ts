import type { PlannedMigration } from "../../migrations/plan.ts";
import type { Step } from "../../migrations/schema.ts";
import { door, type Import } from "../file.ts";
import { literal, stringLiteral, visible } from "../literal.ts";
import { camelCase, identifiers } from "../names.ts";

/** What `templates/migration.hbs` prints: one migration, its steps as data. */
export interface MigrationView {
  readonly imports: readonly Import[];
  readonly name: string;
  readonly parent: string;
  /** One line for each class of steps, and for each step that was accepted although it loses data. */
  readonly notes: readonly string[];
  /** Lists of steps that are too long to stand in `up` or `down` themselves. */
  readonly parts: readonly PartView[];
  readonly up: readonly string[];
  readonly down: readonly string[];
}

interface PartView {
  readonly name: string;
  readonly steps: readonly string[];
}

/** TypeScript compares all elements of an array literal with each other, and gives up on some thousands of steps. */
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
      { from: door("database"), names: ["defineMigration", ...(parts.length === 0 ? [] : ["type Step"])] },
    ],
    name: stringLiteral(migration.name),
    parent: literal(migration.parent),
    notes: notesOf(migration),
    parts,
    up: up.elements,
    down: down.elements,
  };
}

/** The elements of a list of steps: the steps themselves, or the parts of a long list. */
function inParts(name: string, steps: readonly Step[]): { elements: string[]; parts: PartView[] } {
  const texts = steps.map((step) => literal({ ...step }));
  if (texts.length <= partSize) return { elements: texts, parts: [] };
  const parts = Array.from({ length: Math.ceil(texts.length / partSize) }, (_, index) => ({
    name: `${name}${index + 1}`,
    steps: texts.slice(index * partSize, (index + 1) * partSize),
  }));
  return { elements: parts.map((part) => `...${part.name}`), parts };
}

function notesOf({ changes }: PlannedMigration): string[] {
  const additive = changes.filter((change) => change.class === "additive").length;
  const others = changes.filter((change) => change.class !== "additive");
  return [
    ...(additive === 0 ? [] : [`Additive: ${additive} ${additive === 1 ? "step" : "steps"}.`]),
    ...others.map(({ id, class: kind }) =>
      kind === "widening"
        ? `Widening: ${visible(id)}`
        : `Destructive: ${visible(id)}, accepted with --accept-destructive`,
    ),
  ];
}

/** What `templates/migrations-index.hbs` prints: all migrations, oldest first. */
export interface MigrationsIndexView {
  readonly imports: readonly Import[];
  readonly migrations: readonly string[];
}

/** The view of `migrations/index.ts`. */
export function migrationsIndexView(names: readonly string[]): MigrationsIndexView {
  const nameOf = identifiers(["migrations"], "migration");
  const imports = names.map((name) => ({ file: name, as: nameOf(importName(name)) }));
  return {
    imports: imports.map(({ file, as }) => ({ from: `./${file}.ts`, names: [`migration as ${as}`] })),
    migrations: imports.map(({ as }) => as),
  };
}

/** `0002_add_isbn_to_books` gives `m0002`. */
function importName(name: string): string {
  const number = /^\d+/.exec(name)?.[0];
  return number === undefined ? camelCase(name) : `m${number}`;
}

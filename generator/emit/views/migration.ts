import type { PlannedMigration } from "../../migrations/plan.ts";
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
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** The view of `migrations/<name>.ts`. */
export function migrationView(migration: PlannedMigration): MigrationView {
  return {
    imports: [{ from: door("database"), names: ["defineMigration"] }],
    name: stringLiteral(migration.name),
    parent: literal(migration.parent),
    notes: notesOf(migration),
    up: migration.changes.map(({ step }) => literal({ ...step })),
    down: migration.down.map((step) => literal({ ...step })),
  };
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

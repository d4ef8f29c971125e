import type { Step } from "./migration-steps.ts";

interface Steps {
  readonly up: readonly Step[];
}

/**
 * The order of migrations in a new database: first the service's, because the app's migrations depend on
 * them. If a service's migration needs a name that an app's migration frees, the app's runs first. For
 * example, a table `users` of an introspected database is renamed before the service creates its own.
 */
export function inRunningOrder<Migration extends Steps>(
  builtIn: readonly Migration[],
  app: readonly Migration[],
): Migration[] {
  const order: Migration[] = [];
  let done = 0;
  for (const migration of builtIn) {
    const before = app.findLastIndex((other) => goesAhead(other, migration)) + 1;
    order.push(...app.slice(done, before), migration);
    done = Math.max(done, before);
  }
  return [...order, ...app.slice(done)];
}

function goesAhead(app: Steps, builtIn: Steps): boolean {
  if (nameFreedFor(app, builtIn) !== null) return true;
  const chosen = new Set(builtIn.up.flatMap(chosenName));
  return app.up.flatMap(keyName).some((name) => chosen.has(name));
}

/**
 * The name of a table, index or column (`users.nickname`) that the app's migration frees and the built-in one
 * takes; otherwise null.
 */
export function nameFreedFor(app: Steps, builtIn: Steps): string | null {
  const taken = new Set(builtIn.up.flatMap(takenName));
  return app.up.flatMap(freedName).find((name) => taken.has(name)) ?? null;
}

/** In PostgreSQL, tables and indexes share one namespace. */
function takenName(step: Step): string[] {
  if (step.step === "create_table") return [step.table];
  if (step.step === "add_index") return [step.index.name];
  return step.step === "add_column" ? [`${step.table}.${step.column.name}`] : [];
}

function freedName(step: Step): string[] {
  switch (step.step) {
    case "drop_table":
    case "rename_table":
      return [step.table];
    case "drop_index":
    case "rename_index":
    case "rename_constraint":
      return [step.name];
    case "drop_column":
    case "rename_column":
      return [`${step.table}.${step.column}`];
    default:
      return [];
  }
}

/** A name that PostgreSQL chooses if it is free. */
function chosenName(step: Step): string[] {
  return step.step === "create_table" && step.primaryKey === undefined ? [`${step.table}_pkey`] : [];
}

/** The explicit name of a primary key. */
function keyName(step: Step): string[] {
  return step.step === "create_table" && step.primaryKey !== undefined ? [step.primaryKey.name] : [];
}

import type { Step } from "./migration-steps.ts";

interface Steps {
  readonly up: readonly Step[];
}

/**
 * The order in which migrations run in a new database: those of the service itself first, so that the app's can refer to
 * what they make. Where one of these takes a name that the app had before it, what frees the name goes ahead of it: a table
 * `users` of an introspected database is renamed before the service makes its own.
 */
export function inOrder<Migration extends Steps>(
  builtIn: readonly Migration[],
  app: readonly Migration[],
): Migration[] {
  const order: Migration[] = [];
  let done = 0;
  for (const migration of builtIn) {
    const freed = app.findLastIndex((other) => freedBy(other, migration) !== null) + 1;
    order.push(...app.slice(done, freed), migration);
    done = Math.max(done, freed);
  }
  return [...order, ...app.slice(done)];
}

/** The table, or the column as `users.nickname`, that one migration gives up and another one takes; null where there is none. */
export function freedBy(app: Steps, builtIn: Steps): string | null {
  const taken = new Set(builtIn.up.map(takenName));
  return app.up.map(freedName).find((name) => name !== null && taken.has(name)) ?? null;
}

function takenName(step: Step): string | null {
  if (step.step === "create_table") return step.table;
  return step.step === "add_column" ? `${step.table}.${step.column.name}` : null;
}

function freedName(step: Step): string | null {
  if (step.step === "drop_table" || step.step === "rename_table") return step.table;
  if (step.step === "drop_column" || step.step === "rename_column") return `${step.table}.${step.column}`;
  return null;
}

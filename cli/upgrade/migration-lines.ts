import type { MigrationEffect } from "#runtime/migrations/index";
import type { NewMigration } from "./upgrade-changes.ts";

/** What the migrations of an upgrade do to tables that are large and in use, in lines. */
export function migrationLines(migrations: readonly NewMigration[]): string[] {
  const title = "Migrations of the service's own tables";
  if (migrations.length === 0) return [title, "  none"];
  return [
    `${title}, which run at the first start (or by npm run migrate) and are not taken back`,
    ...migrations.flatMap(({ name, since, effect }) => [
      `  ${name} of ${since}: ${effect.class}`,
      ...effectLines(effect).map((line) => `    ${line}`),
    ]),
  ];
}

function effectLines({ makes, locksBriefly, reads, locks, loses }: MigrationEffect): string[] {
  const line = (tables: readonly string[], what: string) =>
    tables.length === 0 ? [] : [`${tables.join(", ")}: ${what}`];
  return [
    ...line(makes, "made"),
    ...line(locks, "LOCKED for as long as its size takes: while it is written anew, read or indexed"),
    ...line(reads, "read as a whole, while everybody works"),
    ...line(locksBriefly, "locked for a moment, however large it is"),
    ...loses.map((loss) => `LOSES ${loss}`),
  ];
}

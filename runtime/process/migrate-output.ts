import type { Change, MigrationStatus } from "../database/index.ts";

const notes: Readonly<Record<MigrationStatus["state"], string>> = {
  applied: "",
  pending: "",
  altered: " (the file was changed after it had been applied)",
  unknown: " (not in this code: the database is newer)",
  unfinished:
    " (is being worked on, or was left half-way: then the next up or down undoes what is there of it)",
};

/** A line of `npm run migrate -- status`. */
export function describeStatus({ name, state, appliedAt }: MigrationStatus): string {
  return `${state.padEnd(8)} ${appliedAt?.toISOString() ?? " ".repeat(24)} ${name}${notes[state]}\n`;
}

/** The SQL of a change, for `--dry-run`. */
export function describeChange({ migration, direction, plan }: Change): string {
  const parts = [
    { title: "ahead, in one transaction", statements: plan.ahead },
    { title: "online, each statement by itself", statements: plan.online },
    { title: "in one transaction", statements: plan.main },
  ];
  const texts = parts
    .filter(({ statements }) => statements.length > 0)
    .map(({ title, statements }) => `-- ${title}\n${statements.map(({ sql }) => `${sql};\n`).join("")}`);
  return `-- ${migration.name} ${direction}\n${texts.join("")}\n`;
}

import {
  type Change,
  differenceLines,
  isBuiltIn,
  lossesOf,
  type MigrationStatus,
  type Verification,
} from "../migrations/index.ts";

const notes: Readonly<Record<MigrationStatus["state"], string>> = {
  applied: "",
  pending: "",
  altered: " (the file was changed after it had been applied)",
  unchecked: " (its row in kirak_migration_checksums is gone: nobody can tell whether it was changed since)",
  unknown: " (not in this code: the database is newer)",
  unfinished:
    " (is being worked on, or was left half-way: then the next up or down undoes what is there of it)",
};

/** The lines of `npm run migrate -- status`. */
export function describeStatuses(statuses: readonly MigrationStatus[]): string[] {
  const own = statuses.filter(({ name }) => isBuiltIn(name)).map(describeStatus);
  const others = statuses.filter(({ name }) => !isBuiltIn(name)).map(describeStatus);
  return own.length === 0 ? others : ["of the service itself:\n", ...own, "of the app:\n", ...others];
}

function describeStatus({ name, state, appliedAt }: MigrationStatus): string {
  return `${state.padEnd(10)} ${appliedAt?.toISOString() ?? " ".repeat(24)} ${name}${notes[state]}\n`;
}

/** The SQL of a change, for `--dry-run`. */
export function describeChange({ migration, direction, steps, plan }: Change): string {
  const parts = [
    { title: "ahead, in one transaction", statements: plan.ahead },
    { title: "online, each statement by itself", statements: plan.online },
    { title: "in one transaction", statements: plan.main },
  ];
  const texts = parts
    .filter(({ statements }) => statements.length > 0)
    .map(({ title, statements }) => `-- ${title}\n${statements.map(({ sql }) => `${sql};\n`).join("")}`);
  const losses = direction === "down" ? lossesOf(steps).map((loss) => `-- loses ${loss}\n`) : [];
  return `-- ${migration.name} ${direction}\n${losses.join("")}${texts.join("")}\n`;
}

/** What a run undoes before its first change, for `--dry-run`. */
export function describeLeftover(name: string): string {
  return `-- ${name} is being worked on, or was left half-way: then what is there of it is undone first\n\n`;
}

/** The lines of `npm run migrate -- verify`. */
export function describeVerification({
  differences,
  notes,
  applied,
  pending,
  unfinished,
}: Verification): string {
  const parts = [
    differenceLines(differences),
    notes.length === 0 ? [] : ["does no harm:", ...differenceLines(notes)],
    [
      ...unfinished.map((name) => `${name} was left half-way: npm run migrate undoes what is there of it`),
      ...pending.map((name) => `${name} is pending: npm run migrate applies it`),
      ...(differences.length > 0 ? [] : [`the database is as its ${counted(applied, "migration")} made it`]),
    ],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

/** `1 difference`, `2 differences`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

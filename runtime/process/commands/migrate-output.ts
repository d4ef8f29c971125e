import {
  type Change,
  differenceLines,
  isBuiltIn,
  lossesOfDown,
  type MigrationStatus,
  type Verification,
} from "../../migrations/runner/index.ts";

const notes: Readonly<Record<MigrationStatus["state"], string>> = {
  applied: "",
  pending: "",
  altered: " (the file was changed after it had been applied)",
  unchecked: " (its row in kirak_migration_checksums is gone: nobody can tell whether it was changed since)",
  unknown: " (not in this code: the database is newer)",
  unfinished:
    " (is being worked on, or was left half-way: then the next up or down undoes what is there of it)",
  begun:
    " (is being worked on, or was left half-way: then the next up goes on with it, and down takes back what is done)",
};

/** The lines of `npm run migrate -- status`. */
export function describeStatuses(statuses: readonly MigrationStatus[]): string[] {
  const own = statuses.filter(({ name }) => isBuiltIn(name)).map(describeStatus);
  const others = statuses.filter(({ name }) => !isBuiltIn(name)).map(describeStatus);
  return own.length === 0 ? others : ["of the service itself:\n", ...own, "of the app:\n", ...others];
}

function describeStatus({ name, state, appliedAt, progress }: MigrationStatus): string {
  const done = progress === undefined ? "" : `, ${progress}`;
  return `${state.padEnd(10)} ${appliedAt?.toISOString() ?? " ".repeat(24)} ${name}${done}${notes[state]}\n`;
}

export function describeChange({ migration, direction, plan, sql }: Change): string {
  const parts = sql === null ? planParts(plan) : sqlParts(sql);
  const texts = parts
    .filter(({ statements }) => statements.length > 0)
    .map(({ title, statements }) => `-- ${title}\n${statements.map((text) => `${text};\n`).join("")}`);
  const losses = direction === "down" ? lossesOfDown(migration).map((loss) => `-- loses ${loss}\n`) : [];
  return `-- ${migration.name} ${direction}\n${losses.join("")}${texts.join("")}\n`;
}

interface Part {
  readonly title: string;
  readonly statements: readonly string[];
}

function planParts(plan: Change["plan"]): Part[] {
  return [
    { title: "ahead, in one transaction", statements: plan.ahead.map(({ sql }) => sql) },
    { title: "online, each statement by itself", statements: plan.online.map(({ sql }) => sql) },
    { title: "in one transaction", statements: plan.main.map(({ sql }) => sql) },
  ];
}

function sqlParts({ texts, inTransaction, batches }: NonNullable<Change["sql"]>): Part[] {
  return [
    {
      title: inTransaction ? "in one transaction" : "each statement by itself",
      statements: texts.map((text) => text.replace(/;\s*$/, "")),
    },
    ...batches.map(({ table, size, sql }) => ({
      title: `for all rows of ${table}, ${counted(size, "row")} at a time`,
      statements: [sql.trim().replace(/;\s*$/, "")],
    })),
  ];
}

/** A change that a run undoes before its first change, for `--dry-run`. */
export function describeLeftover(name: string): string {
  return `-- ${name} is being worked on, or was left half-way: then what is there of it is undone first\n\n`;
}

/** A change that a run continues before its first change, for `--dry-run`. */
export function describeBegun(name: string): string {
  return `-- ${name} is being worked on, or was left half-way: then up goes on with it, and leaves out what is done\n\n`;
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
      ...unfinished.map((name) => `${name} was left half-way: npm run migrate makes that good`),
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

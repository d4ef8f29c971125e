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
  altered: " (the file was changed after it was applied)",
  unchecked: " (its row in kirak_migration_checksums is missing: changes of the file cannot be detected)",
  unknown: " (not in this code: the database is newer)",
  unfinished: " (in progress or interrupted: if interrupted, the next up or down removes its preparation)",
  begun:
    " (in progress or interrupted: if interrupted, the next up continues it, and down reverts the finished part)",
};

/** The lines of `npm run migrate -- status`. */
export function describeStatuses(statuses: readonly MigrationStatus[]): string[] {
  const ofService = statuses.filter(({ name }) => isBuiltIn(name)).map(describeStatus);
  const ofApp = statuses.filter(({ name }) => !isBuiltIn(name)).map(describeStatus);
  return ofService.length === 0 ? ofApp : ["of the service:\n", ...ofService, "of the app:\n", ...ofApp];
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
  const isFound = direction === "up" && migration.found !== undefined;
  const found = isFound
    ? "-- describes found tables: where the database has them already, it is only recorded\n"
    : "";
  return `-- ${migration.name} ${direction}\n${found}${losses.join("")}${texts.join("")}\n`;
}

interface Part {
  readonly title: string;
  readonly statements: readonly string[];
}

function planParts(plan: Change["plan"]): Part[] {
  return [
    { title: "first, each statement by itself", statements: plan.first.map(({ sql }) => sql) },
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
      title: `for all rows of ${table}, ${countText(size, "row")} at a time`,
      statements: [sql.trim().replace(/;\s*$/, "")],
    })),
  ];
}

/** A change that a run undoes before its first change, for `--dry-run`. */
export function describeLeftover(name: string): string {
  return `-- ${name} is in progress or was interrupted: if it was, its preparation is removed first\n\n`;
}

/** A change that a run continues before its first change, for `--dry-run`. */
export function describeBegun(name: string): string {
  return `-- ${name} is in progress or was interrupted: if it was, up continues it and skips the finished part\n\n`;
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
    notes.length === 0 ? [] : ["harmless:", ...differenceLines(notes)],
    [
      ...unfinished.map((name) => `${name} was interrupted: npm run migrate completes or undoes it`),
      ...pending.map((name) => `${name} is pending: npm run migrate applies it`),
      ...(differences.length > 0 ? [] : [`the database matches its ${countText(applied, "migration")}`]),
    ],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

/** `1 difference`, `2 differences`. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

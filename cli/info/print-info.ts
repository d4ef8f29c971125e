import { escapeInvisible } from "#generator/emit/literal";
import type { Configuration, GeneratedParts, Versions } from "./app-info.ts";
import type { DatabaseInfo, Unreadable } from "./database-info.ts";

/** What `kirak info --json` prints. */
export interface Info extends DatabaseInfo {
  readonly versions: Versions;
  readonly app: string | null;
  readonly generated: GeneratedParts | Unreadable;
  readonly configuration: Configuration;
  /** Names of variables, without their values. */
  readonly environment: readonly string[];
}

type Row = readonly [title: string, lines: readonly string[]];

/** The lines of `kirak info`. */
export function printInfo(info: Info): string {
  const { versions, app, configuration, environment } = info;
  const rows: Row[] = [
    ["kirak", [versions.kirak]],
    ["node", [`${versions.node} on ${versions.platform}`]],
    ["packages", Object.entries(versions.packages).map(([name, version]) => `${name} ${version}`)],
    ["app", [app ?? "without a package.json"]],
    ...generatedRows(info),
    ["modules", [configuration.modules?.join(", ") || "none"]],
    ["environment", environment],
    ["database", [databaseLine(info)]],
    ["migrations", migrationLines(info)],
    ["drift", [driftLine(info)]],
    ["problems", configuration.problems],
    ["warnings", configuration.warnings],
  ];
  const lines = rows.flatMap(([title, texts]) =>
    texts
      .flatMap((text) => text.split("\n"))
      .map((text, at) => `${(at === 0 ? title : "").padEnd(13)}${text}`),
  );
  return `${lines.map(escapeInvisible).join("\n")}\n`;
}

function generatedRows({ generated }: Info): Row[] {
  if ("problem" in generated) return [["generated", [generated.problem]]];
  const { state, models, routes, jobs } = generated;
  return [
    ["generated", [state]],
    ["models", [`${models.served} with routes, ${models.internal} without`]],
    ["routes", [`${routes.all}, ${routes.custom} of them of models/routes/`]],
    ["jobs", [String(jobs)]],
  ];
}

function databaseLine({ database }: Info): string {
  if ("problem" in database) return database.problem;
  return `PostgreSQL ${database.postgresql}${database.embedded ? ", embedded" : ""}`;
}

function migrationLines({ migrations }: Info): string[] {
  if (migrations === null) return ["not checked"];
  if ("problem" in migrations) return [migrations.problem];
  const { applied, pending, others } = migrations;
  return [
    `${applied} applied, ${pending.length} pending`,
    ...pending.map((name) => `pending: ${name}`),
    ...others.map(({ name, state }) => `${state}: ${name}`),
  ];
}

function driftLine({ drift }: Info): string {
  if (drift === null) return "not checked";
  if ("problem" in drift) return drift.problem;
  const { differences, notes } = drift;
  return differences + notes === 0
    ? "none"
    : `differences: ${differences}, notes: ${notes}; npm run migrate -- verify lists them`;
}

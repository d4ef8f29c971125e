import type { TestDatabase } from "../../../support/database.ts";
import { sendRequest } from "../../../support/request.ts";
import { tokenOf } from "../../../support/service-token.ts";
import type { AdoptedProject, Ran } from "../adopted-project.ts";
import { type ModelJson, type Models, tableOf } from "./cells.ts";
import { type Ask, compareCells } from "./compare-cells.ts";
import { differencesOf, printOfDatabase, printOfRows } from "./database-print.ts";
import { accepted, addRows, type RandomTable, randomTables } from "./random-rows.ts";
import { outcomesOf, replay } from "./replay.ts";
import { writeAll } from "./write-all.ts";

type Query = TestDatabase["query"];

/** What a take-over has shown. `problems` has to be empty. */
export interface TakenOver {
  readonly tables: number;
  readonly empty: readonly string[];
  readonly models: number;
  /** Remarks of `introspect`, by kind. */
  readonly remarks: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly cells: number;
  readonly filters: number;
  /** Views that PostgreSQL cannot read with these rows, and why. They are not compared. */
  readonly unreadable: readonly string[];
  /** Statements that ran before and after. */
  readonly statements: number;
  /** What the statements of the application did while the service was running. */
  readonly whileServing: WhileServing;
  /** Answers of requests that write, with the number of each. */
  readonly writes: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export interface WhileServing {
  readonly taken: number;
  /** Statements that PostgreSQL refuses, before the take-over as after it. */
  readonly refused: readonly string[];
  /** The tables whose rows they changed, and the rows of their models, compared again. */
  readonly tables: number;
  readonly rows: number;
}

export interface TakeOverOptions {
  /** The first one is that of unqualified names. */
  readonly schemas: readonly string[];
  /** Random rows of each table. */
  readonly rows: number;
  /** Models of views that answer something else each time, such as lists without an order. */
  readonly unstable?: readonly string[];
  /** Statements of the original application. */
  readonly statements?: readonly string[];
}

/** Takes a database over as it is, and compares everything that Kirak answers with SQL. */
export async function takeOver(
  query: Query,
  own: AdoptedProject,
  { schemas, rows, unstable = [], statements = [] }: TakeOverOptions,
): Promise<TakenOver> {
  const problems: string[] = [];
  const check = (what: string, { status, stdout, stderr }: Ran) => {
    if (status !== 0) problems.push(`${what}: ${status} ${stdout}${stderr}`.slice(0, 3000));
  };
  const tables = await randomTables(query, schemas);
  const empty = await fill(query, tables, rows);
  const before = await printOfDatabase(query, null);
  const rowsBefore = await printOfRows(query, tables);
  const took = await replay(query, tables, statements);

  own.write("models/manifest.json", { name: "taken_over", rate_limit: { default_max_requests: 1_000_000 } });
  const flags = ["--schema", schemas.join(), "--views", "--open", "admin", "--remarks", "remarks.txt"];
  check("introspect", await own.introspect(...flags));
  check("generate", own.generator());
  check("generate --check", own.generator("--check"));
  check("migrate", own.migrate());
  const { $schema: _, ...models }: Models & { $schema: never } = JSON.parse(own.read("models/models.json"));
  const { service_schema: service }: { service_schema?: string } = JSON.parse(
    own.read("models/manifest.json"),
  );
  const home = service ?? schemas[0] ?? "public";
  const { origin, log } = await own.start();
  const ask: Ask = async (line, body) => {
    const [method = "", path = ""] = line.split(" ");
    const headers = { authorization: `Bearer ${tokenOf("admin")}` };
    const { status, envelope } = await sendRequest(origin, { method, path, headers, body });
    const details =
      status < 500 ? JSON.stringify(envelope.details ?? {}) : log().trimEnd().split("\n").at(-1);
    return { status, data: envelope.data, message: `${envelope.message} ${details}` };
  };
  const report = (line: string) => void problems.push(line);
  const checkObjects = async (when: string) => {
    for (const line of differencesOf(before, await printOfDatabase(query, home)))
      report(`${when}: ${line.slice(0, 400)}`);
  };
  check("verify", own.migrate("verify"));
  await checkObjects("taken over");
  const isStable = ([key]: readonly [string, unknown]) => !unstable.includes(key);
  const stable: Models = Object.fromEntries(Object.entries(models).filter(isStable));
  const compared = await compareCells(query, models, stable, { home, ask, report });
  for (const [name, print] of Object.entries(await printOfRows(query, tables)))
    if (rowsBefore[name] !== print) report(`the rows of ${name} have changed`);
  const again = await replay(query, tables, statements);
  took.forEach((line, place) => {
    if (again[place] !== line) report(`before: ${line}; after: ${again[place]}`);
  });
  const whileServing = await serveStatements(query, statements, tables, async (changed) => {
    const isChanged = ([key, model]: readonly [string, ModelJson]) =>
      changed.has(tableOf(key, model, home).replaceAll('"', ""));
    const asked: Models = Object.fromEntries(Object.entries(stable).filter(isChanged));
    return (await compareCells(query, models, asked, { home, ask, report })).rows;
  });
  const writes = await writeAll(models, { home, ask, report });
  await compareCells(query, models, stable, { home, ask, report });
  check("verify after writes", own.migrate("verify"));
  await checkObjects("after writes");
  return {
    ...{ tables: tables.length, empty, models: Object.keys(models).length },
    remarks: kindsOf(own.read("remarks.txt")),
    ...{ ...compared, statements: took.length, whileServing, writes, problems },
  };
}

function kindsOf(remarks: string): Record<string, number> {
  const kinds = remarks.split("\n").flatMap((line) => /^(.*?)\t/.exec(line)?.[1] ?? []);
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]),
  );
}

/** Runs the statements of an application and keeps what they did. `compare` gets the tables that have other rows now. */
async function serveStatements(
  query: Query,
  statements: readonly string[],
  tables: readonly RandomTable[],
  compare: (changed: ReadonlySet<string>) => Promise<number>,
): Promise<WhileServing> {
  const before = await printOfRows(query, tables);
  const outcomes = await outcomesOf(query, statements);
  const after = Object.entries(await printOfRows(query, tables));
  const changed = after.flatMap(([name, print]) =>
    before[name] === print ? [] : [name.replaceAll('"', "")],
  );
  const refused = outcomes.filter((line) => !line.endsWith(": taken"));
  const rows = await compare(new Set(changed));
  return { taken: outcomes.length - refused.length, refused, tables: changed.length, rows };
}

/** Adds random rows to all tables. Where triggers or circles refuse all of them, without triggers. Returns the tables that stay empty. */
async function fill(query: Query, tables: readonly RandomTable[], rows: number): Promise<string[]> {
  await addRows(query, tables, { rows, seed: 1 });
  const without = await emptyOf(query, tables);
  await query("set session_replication_role = replica");
  await addRows(query, without, { rows, seed: 2 });
  await query("set session_replication_role = origin");
  const views = await query("select oid::regclass::text as name from pg_class where relkind = 'm'");
  for (const { name } of views) await accepted(query, `refresh materialized view ${name}`);
  return (await emptyOf(query, tables)).map(({ name }) => name);
}

async function emptyOf(query: Query, tables: readonly RandomTable[]): Promise<RandomTable[]> {
  const empty: RandomTable[] = [];
  for (const table of tables) {
    const rows = await query(`select from ${table.name} limit 1`);
    if (rows.length === 0) empty.push(table);
  }
  return empty;
}

import pg from "pg";
import type { Json } from "#vocabulary/json";
import type { TestDatabase } from "../../../support/database.ts";
import { comparable, expectedRows, type ModelJson, type Models, storedColumn, typeOf } from "./cells.ts";

type Query = TestDatabase["query"];
type Row = { readonly [key: string]: Json };

/** Sends a request of an admin, such as `GET /film/fetch`. */
export type Ask = (
  line: string,
  body?: Json,
) => Promise<{ readonly status: number; readonly data: Json; readonly message: string }>;

export interface Asked {
  /** The schema of models without `schema_name`. */
  readonly home: string;
  readonly ask: Ask;
  readonly report: (problem: string) => void;
}

/** Compares the rows of some models with SQL, over REST and over GraphQL, and finds rows by their values. */
export async function compareCells(
  query: Query,
  models: Models,
  asked: Models,
  { home, ask, report }: Asked,
) {
  const counts = { rows: 0, cells: 0, filters: 0 };
  const unreadable: string[] = [];
  for (const [key, model] of Object.entries(asked)) {
    // Extreme values can be too much for the expressions of a view.
    const expected = await expectedRows(query, models, key, home).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
      if (model.view === true) unreadable.push(`${key}: ${error.message}`);
      else report(`${key}: PostgreSQL cannot read the rows: ${error.message}`);
      return null;
    });
    if (expected === null) continue;
    const rows = await allRows(key, { home, ask, report });
    const [is, should] = [comparable(rows), comparable(expected)];
    const wrong = is.flatMap((row, place) =>
      row === should[place] ? [] : [differenceOf(row, should[place])],
    );
    if (is.length !== should.length) report(`${key}: ${is.length} rows instead of ${should.length}`);
    for (const line of wrong.slice(0, 3)) report(`${key}: ${line}`);
    counts.rows += rows.length;
    counts.cells += rows.reduce((sum, row) => sum + Object.keys(row).length, 0);
    counts.filters += await filtersFind(models, [key, model], rows, { ask, report });
    await overGraphql([key, model], rows, { ask, report });
  }
  return { ...counts, unreadable };
}

async function allRows(key: string, { ask, report }: Asked): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { status, data, message } = await ask(`GET /${key}/fetch?limit=100&page=${page}`);
    if (status !== 200 || !Array.isArray(data)) {
      report(`GET /${key}/fetch: ${status} ${message}`);
      return rows;
    }
    rows.push(...data.map(Object));
    if (data.length < 100) return rows;
  }
}

function differenceOf(is: string, should: string | undefined): string {
  const [one, other]: [Row, Row] = [JSON.parse(is), JSON.parse(should ?? "{}")];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names
    .filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .map((name) => `${name} is ${JSON.stringify(one[name])}, not ${JSON.stringify(other[name])}`)
    .slice(0, 3)
    .join("; ");
}

/** The value of an answered cell finds its row. */
async function filtersFind(
  models: Models,
  [key, model]: readonly [string, ModelJson],
  rows: readonly Row[],
  { ask, report }: Pick<Asked, "ask" | "report">,
): Promise<number> {
  let count = 0;
  for (const row of rows.slice(0, 2))
    for (const [name, value] of Object.entries(row)) {
      const field = model.fields[name];
      const type = field === undefined ? "id" : typeOf(models, field);
      const isAsked = !(type.endsWith("[]") || type === "json" || value === "" || value === null);
      if (!isAsked || typeof value === "object") continue;
      const filter = `${name}=${encodeURIComponent(String(value))}`;
      const { status, data, message } = await ask(`GET /${key}/fetch?limit=100&${filter}`);
      const found = Array.isArray(data) ? comparable(data) : [];
      const [wanted = ""] = comparable([row]);
      if (status !== 200 || !(found.includes(wanted) || found.length === 100))
        report(`GET /${key}/fetch?${filter}: ${status} ${status === 200 ? "the row is missing" : message}`);
      count++;
    }
  return count;
}

async function overGraphql(
  [key, model]: readonly [string, ModelJson],
  rows: readonly Row[],
  { ask, report }: Pick<Asked, "ask" | "report">,
): Promise<void> {
  const own = ["id", "created_at", "updated_at"].filter((name) => storedColumn(model, name) !== null);
  const fields = Object.entries(model.fields).flatMap(([name, { type }]) =>
    type === "has_many" ? [] : [name],
  );
  const names = [...own, ...fields];
  if (names.length === 0) return;
  const text = `{ rows: ${key}(limit: 100) { ${[...new Set(names)].join(" ")} } }`;
  const { status, data, message } = await ask("POST /graphql", { query: text });
  const found: Json = Object(data).rows;
  if (status !== 200 || !Array.isArray(found)) return report(`GraphQL ${key}: ${status} ${message}`);
  const [is, should] = [comparable(found), comparable(rows.slice(0, 100))];
  const wrong = is.findIndex((row, place) => row !== should[place]);
  if (wrong >= 0) report(`GraphQL ${key}: ${differenceOf(is[wrong] ?? "{}", should[wrong])}`);
}

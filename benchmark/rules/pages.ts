import pg from "pg";
import { keysetValues, type Plan, selectKeyset, selectPage } from "#runtime/data/sql/index";
import { columnsOf } from "#runtime/models/index";
import { median } from "../measure.ts";
import { tasks } from "../servers/tracker-models.ts";

const depth = 100_000;
const times = 50;
const limit = 10;

const everyRow = {
  model: tasks,
  models: new Map(),
  filters: [],
  scope: { kind: "all" },
  searchIn: [],
} as const;
const page = { ...everyRow, orderBy: "created_at", descending: false, columns: [...columnsOf(tasks).keys()] };
const guest = { user_id: null, role: "guest", email: null };

/** Compares pages by cursor and by number at row 100,000 with the first page, in PostgreSQL. */
export async function comparePages(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("create index if not exists tasks_page on tasks (created_at, id)");
    const { rows } = await client.query<{ id: string; value: string }>(
      `select id::text, created_at::text as value from tasks where deleted_at is null order by created_at, id offset ${depth} limit 1`,
    );
    const edge = rows[0] ?? null;
    const keyset = (kind: "none" | "value") => selectKeyset({ ...page, edge: kind, limit: limit + 1 });
    const bounds = { limit, offset: depth };
    const measured = {
      "first page": await time(client, keyset("none"), keysetValues(null, limit + 1)),
      "by cursor": await time(client, keyset("value"), keysetValues(edge, limit + 1)),
      "by number": await time(client, selectPage({ ...page, ...bounds, total: false }), [limit, depth]),
      "by number, with total": await time(client, selectPage({ ...page, ...bounds, total: true }), [
        limit,
        depth,
      ]),
    };
    console.log(`  pages of ${limit} at row ${depth.toLocaleString("en")}`);
    for (const [name, ms] of Object.entries(measured))
      console.log(
        `    ${name.padEnd(22)}  ${ms.toFixed(2).padStart(8)} ms  ${(ms / measured["first page"]).toFixed(1)} of the first page`,
      );
  } finally {
    await client.end();
  }
}

/** The median of several runs, in milliseconds. */
async function time(
  client: pg.Client,
  { statement: { text, name }, bind }: Plan,
  values: readonly (string | number | null)[],
): Promise<number> {
  const query = { text, values: [...bind(values, guest)], ...(name !== null && { name }) };
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    await client.query(query);
    taken.push(performance.now() - began);
  }
  return median(taken);
}

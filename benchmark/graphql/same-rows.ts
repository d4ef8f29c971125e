import { isDeepStrictEqual } from "node:util";
import type { RunningServer } from "../measure.ts";
import type { GraphqlRequest, GraphqlScenario } from "./scenarios.ts";

const date = /^\d{4}-\d\d-\d\dT/;
const number = /^-?\d+(\.\d+)?$/;

/** Throws where the two servers do not answer the same rows: then they did not do the same work. */
export async function checkSameRows(
  scenario: GraphqlScenario,
  kirak: RunningServer,
  postgraphile: RunningServer,
  token: string,
): Promise<void> {
  const { name, rowsOf = onlyRoot } = scenario;
  for (const n of [0, 1, 7]) {
    const ours = plain(onlyRoot(await ask(kirak, scenario.kirak, n, token)));
    const theirs = plain(rowsOf(await ask(postgraphile, scenario.postgraphile, n, token)));
    const [a, b] = scenario.rowsOf === undefined ? [ours, theirs] : [sorted(ours), sorted(theirs)];
    if (isDeepStrictEqual(a, b) && Array.isArray(a) && a.length > 0) continue;
    throw new Error(`${name}: not the same rows\n${start(a)}\n${start(b)}`);
  }
}

async function ask(
  { name, port }: RunningServer,
  { query, variables }: GraphqlRequest,
  n: number,
  token: string,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables: variables(n) }),
  });
  const text = await response.text();
  const body: { data?: unknown; errors?: unknown } = JSON.parse(text);
  if (response.status === 200 && body.errors === undefined) return body.data;
  throw new Error(`${name} answered ${response.status}: ${text.slice(0, 500)}`);
}

const onlyRoot = (data: unknown): unknown => Object.values(data as object)[0];

const start = (rows: unknown): string => JSON.stringify(rows).slice(0, 500);

/** Groups come in no order. */
const sorted = (rows: unknown): unknown =>
  Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)).sort() : rows;

/** One form for each value: PostGraphile gives large numbers as text, and times with other digits. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "string") {
    if (date.test(value)) return new Date(value).toISOString();
    // An average of money has eight decimals here, and as many as PostgreSQL gives there.
    return number.test(value) ? Number(Number(value).toFixed(8)) : value;
  }
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, plain(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

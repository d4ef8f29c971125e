import pg from "pg";
import type { TestDatabase } from "../../../support/database.ts";
import { addRows, type Key, keysIn, type RandomTable, type Run } from "./random-rows.ts";

type Query = TestDatabase["query"];

/** Runs statements of an application, and random ones for each table, and takes them back. Returns what became of each. */
export async function replay(
  query: Query,
  tables: readonly RandomTable[],
  statements: readonly string[],
): Promise<string[]> {
  const outcomes: string[] = [];
  const run: Run = async (_, text, values) => {
    const outcome = await outcomeOf(query, text, values);
    outcomes.push(`${text}: ${outcome}`);
    return outcome === "taken";
  };
  const sequences = await query("select format('%I.%I', schemaname, sequencename) as name from pg_sequences");
  const states = sequences.map(({ name }) => `select last_value, is_called, '${name}' as name from ${name}`);
  const values = states.length === 0 ? [] : await query(states.join(" union all "));
  // The rows that this adds have other keys each time.
  const known = new Map<Key, readonly (readonly string[])[]>();
  for (const { keys } of tables) for (const key of keys) known.set(key, await keysIn(query)(key));
  await query("begin");
  // First, because the place of a row in its table differs after an update.
  for (const { name } of tables)
    await run(
      query,
      `delete from ${name} where ctid in (select ctid from ${name} t order by t::text limit 1)`,
    );
  await query("rollback");
  await query("begin");
  for (const text of statements) await run(query, text);
  await addRows(query, tables, { rows: 2, seed: 3, run, keys: async (key) => known.get(key) ?? [] });
  for (const { name, columns } of tables) {
    const open = columns.find(({ closed }) => !closed);
    if (open === undefined) continue;
    const column = `"${open.name}"`;
    await run(query, `update ${name} set ${column} = ${column}`);
  }
  await query("rollback");
  for (const { name, last_value: last, is_called: called } of values)
    await query("select setval($1, $2, $3)", [name, last, called]);
  return outcomes;
}

/** Runs statements, each in a transaction that is committed. Returns what became of each. */
export async function outcomesOf(query: Query, statements: readonly string[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const text of statements) {
    await query("begin");
    const outcome = await outcomeOf(query, text);
    const end = await query("commit").then(() => outcome, refusalOf);
    outcomes.push(`${text}: ${end}`);
  }
  return outcomes;
}

async function outcomeOf(query: Query, text: string, values: readonly unknown[] = []): Promise<string> {
  await query("savepoint one");
  try {
    await query(text, values);
    return "taken";
  } catch (error) {
    await query("rollback to one");
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? `refused with ${error.code} (${error.message})` : String(error);
}

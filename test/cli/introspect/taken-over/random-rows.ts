import type { TestDatabase } from "../../../support/database.ts";
import { type Random, randomOf, randomValue } from "./random-values.ts";

type Query = TestDatabase["query"];

interface Column {
  readonly name: string;
  /** The type below domains, without its modifier, and with it. */
  readonly base: string;
  readonly full: string;
  readonly required: boolean;
  readonly filled: boolean;
  readonly closed: boolean;
  readonly labels: readonly string[] | null;
  readonly candidates: readonly string[];
}

export interface Key {
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

export interface RandomTable {
  /** Quoted, with its schema. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly keys: readonly Key[];
}

/** The tables of some schemas, each after the tables that it refers to, as far as circles allow. */
export async function randomTables(query: Query, schemas: readonly string[]): Promise<RandomTable[]> {
  const rows = await query(
    `select c.oid::regclass::text as "table", quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'base', format_type(coalesce(nullif(d.typbasetype, 0), a.atttypid), null),
          'full', format_type(coalesce(nullif(d.typbasetype, 0), a.atttypid), case when d.typbasetype <> 0 then d.typtypmod else a.atttypmod end),
          'required', a.attnotnull or d.typnotnull, 'closed', a.attgenerated <> '' or a.attidentity = 'a',
          'filled', a.atthasdef or a.attidentity <> '',
          'labels', (select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e
            where e.enumtypid in (a.atttypid, d.typbasetype, d.typelem)),
          'candidates', (select coalesce(jsonb_agg(distinct coalesce(m[1], m[2])), '[]') from pg_constraint k,
            regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''' || case d.typcategory when 'N' then '|[ (\\[](\\d[\\d.]*)' else '' end, 'g') as m
            where k.contype = 'c' and pg_get_constraintdef(k.oid) !~ '~' and (k.conrelid = c.oid and a.attnum = any(k.conkey) or k.contypid = a.atttypid and k.contypid <> 0))
        ) order by a.attnum)
        from pg_attribute a join pg_type d on d.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(jsonb_agg(jsonb_build_object('target', quote_ident(tn.nspname) || '.' || quote_ident(t.relname),
          'columns', (select jsonb_agg(a.attname order by p) from unnest(k.conkey) with ordinality as u (n, p)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n),
          'targetColumns', (select jsonb_agg(a.attname order by p) from unnest(k.confkey) with ordinality as u (n, p)
            join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n))), '[]')
        from pg_constraint k join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
        where k.conrelid = c.oid and k.contype = 'f') as keys
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'kirak%'
     order by 2`,
    [schemas],
  );
  return inOrder(rows.map(({ name, columns, keys }) => ({ name, columns: columns ?? [], keys })));
}

function inOrder(tables: readonly RandomTable[]): RandomTable[] {
  const left = new Set(tables);
  const ordered: RandomTable[] = [];
  const isReady = (table: RandomTable) =>
    table.keys.every(
      ({ target }) => target === table.name || ![...left].some((other) => other.name === target),
    );
  while (left.size > 0) {
    const next = [...left].filter(isReady);
    for (const table of next.length > 0 ? next : [...left].slice(0, 1)) {
      ordered.push(table);
      left.delete(table);
    }
  }
  return ordered;
}

/** Adds random rows to each table, and returns how many of them each table took. The same seed makes the same rows. */
export async function addRows(
  query: Query,
  tables: readonly RandomTable[],
  {
    rows,
    seed,
    run = accepted,
    keys = keysIn(query),
  }: { rows: number; seed: number; run?: Run; keys?: Keys },
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const random = randomOf(`${seed} ${table.name}`);
    let added = 0;
    for (let attempt = 0; attempt < rows * 3 && added < rows; attempt++)
      if (await addRow(query, table, { random, run, keys })) added++;
    counts.set(table.name, added);
  }
  return counts;
}

interface Adding {
  readonly random: Random;
  readonly run: Run;
  readonly keys: Keys;
}

async function addRow(query: Query, table: RandomTable, { random, run, keys }: Adding): Promise<boolean> {
  const values = new Map<string, string | null>();
  const extreme = random.below(table.columns.length + 1);
  for (const [place, column] of table.columns.entries()) {
    if (column.closed || (column.filled && random.below(10) < 6)) continue;
    const isNull = !column.required && random.below(6) === 0;
    values.set(
      column.name,
      isNull ? null : randomValue(column, random, place === extreme || random.below(5) === 0),
    );
  }
  for (const key of table.keys) {
    const found = await keys(key);
    const picked = found[random.below(found.length)] ?? null;
    const isOptional = key.columns.every(
      (name) => !table.columns.some((one) => one.name === name && one.required),
    );
    // In a circle of tables, the first row is added without a check of its keys.
    if (picked === null && !isOptional) continue;
    key.columns.forEach((name, place) => {
      const isLeft = isOptional && (picked === null || random.below(4) === 0);
      values.set(name, isLeft ? null : (picked?.[place] ?? null));
    });
  }
  const names = [...values.keys()];
  const casts = names.map((name, place) => {
    const column = table.columns.find((one) => one.name === name);
    return `$${place + 1}::text::${castOf(column)}`;
  });
  const target = `insert into ${table.name}`;
  const text =
    names.length === 0
      ? `${target} default values`
      : `${target} (${names.map(quoted).join(", ")}) values (${casts.join(", ")})`;
  // A virtual column is computed, and can fail, when it is read.
  return await run(query, `${text} returning *`, [...values.values()]);
}

/** The type without its modifier, so that values are not cut. `character` without one has one character. */
function castOf(column: Column | undefined): string {
  if (column === undefined) return "text";
  return /^(?:character|bit)\b(?! varying)/.test(column.base) ? column.full : column.base;
}

/** Runs a statement, and returns whether the database has taken it. */
export type Run = (query: Query, text: string, values?: readonly unknown[]) => Promise<boolean>;

/** Runs a statement in a transaction of its own. */
export async function accepted(
  query: Query,
  text: string,
  values: readonly unknown[] = [],
): Promise<boolean> {
  try {
    await query("begin");
    await query(text, values);
    await query("commit");
    return true;
  } catch {
    await query("rollback");
    return false;
  }
}

/** The values that a foreign key can have. */
export type Keys = (key: Key) => Promise<readonly (readonly string[])[]>;

/** Reads these values, including those of new rows. */
export function keysIn(query: Query): Keys {
  return async ({ target, targetColumns }) => {
    const columns = targetColumns.map((name) => `${quoted(name)}::text`).join(", ");
    const rows = await query(
      `select array[${columns}] as key from (select * from ${target} order by ${targetColumns.map(quoted).join(", ")} limit 40) t`,
    );
    return rows.map(({ key }) => key);
  };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

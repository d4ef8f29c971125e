import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { startEmbedded } from "#runtime/migrations/embedded-postgres/index";
import { migrate, stepToSql } from "#runtime/migrations/runner/index";
import type { Column, Migration, Step } from "#vocabulary/migrations/migration-steps";
import { median } from "./measure.ts";

/** What a writer met while a migration ran, in milliseconds. */
export interface Pauses {
  readonly longest: number;
  readonly median: number;
  readonly writes: number;
  /** How long the migration took. */
  readonly took: number;
}

export interface Comparison {
  readonly name: string;
  readonly kirak: Pauses;
  /** The same steps as plain statements in one transaction. */
  readonly plain: Pauses;
}

const rows = 1_000_000;
const log = pino({ level: "silent" });
const id: Column = { name: "id", type: "bigint", nullable: false, default: "identity" };
const table = "books";

const base: Migration = {
  name: "0001_base",
  parent: null,
  up: [
    { step: "create_table", table: "authors", columns: [id] },
    {
      step: "create_table",
      table,
      columns: [
        id,
        { name: "title", type: "text", nullable: true },
        { name: "author_id", type: "bigint", nullable: true },
      ],
    },
  ],
  down: [],
};

const cases: readonly { readonly name: string; readonly step: Step }[] = [
  {
    name: "an index",
    step: {
      step: "add_index",
      table,
      index: { name: "books_title_idx", columns: ["title"], unique: false, live: false },
    },
  },
  {
    name: "a foreign key",
    step: {
      step: "add_foreign_key",
      table,
      foreignKey: {
        name: "books_author_id_fkey",
        column: "author_id",
        references: { table: "authors", column: "id" },
        onDelete: "restrict",
      },
    },
  },
  {
    name: "a column that becomes required",
    step: { step: "set_nullable", table, column: "title", nullable: false },
  },
];

/** Migrates a table with 1,000,000 rows while somebody writes to it: gently, and with plain statements. */
export async function* migrationPauses(root: string): AsyncGenerator<Comparison> {
  const server = await startEmbedded({ home: join(root, "var", "benchmark"), log });
  const admin = new pg.Client(server.url);
  await admin.connect();
  const [filled, copy] = [`benchmark_${process.pid}_filled`, `benchmark_${process.pid}_copy`];
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  const measured = async (work: (url: string) => Promise<unknown>) => {
    await admin.query(`create database ${copy} template ${filled}`);
    await admin.query("checkpoint");
    const pauses = await pausesDuring(urlOf(copy), () => work(urlOf(copy)));
    await admin.query(`drop database ${copy} with (force)`);
    return pauses;
  };
  try {
    await admin.query(`create database ${filled}`);
    await fill(urlOf(filled));
    for (const { name, step } of cases) {
      const migration: Migration = { name: "0002_step", parent: base.name, up: [step], down: [] };
      const plain = await measured((url) => runPlain(url, step));
      const kirak = await measured((url) => migrate({ url, migrations: [base, migration], log }));
      yield { name, kirak, plain };
    }
  } finally {
    for (const name of [copy, filled]) await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
    await server.stop();
  }
}

async function fill(url: string): Promise<void> {
  await migrate({ url, migrations: [base], log });
  await withClient(url, async (client) => {
    await client.query("insert into authors select from generate_series(1, 1000)");
    await client.query(
      `insert into books (title, author_id)
       select md5(n::text), 1 + n % 1000 from generate_series(1, $1::int) as n`,
      [rows],
    );
    await client.query("vacuum analyze");
  });
}

async function runPlain(url: string, step: Step): Promise<void> {
  await withClient(url, (client) => client.query(`begin; ${stepToSql(step)}; commit`));
}

/** Inserts and updates rows in a loop, one after the other, until `work` is done. */
async function pausesDuring(url: string, work: () => Promise<unknown>): Promise<Pauses> {
  return withClient(url, async (client) => {
    const durations: number[] = [];
    const write = async (n: number) => {
      const startedAt = performance.now();
      await (n % 2 === 0
        ? client.query("insert into books (title, author_id) values ($1, $2)", [`new ${n}`, 1 + (n % 1000)])
        : client.query("update books set title = $1 where id = $2", [`other ${n}`, 1 + ((n * 7919) % rows)]));
      durations.push(performance.now() - startedAt);
    };
    for (let n = 0; n < 100; n++) await write(n);
    durations.length = 0;
    const startedAt = performance.now();
    let took = Number.NaN;
    const working = work().finally(() => {
      took = performance.now() - startedAt;
    });
    for (let n = 0; Number.isNaN(took); n++) await write(n);
    await working;
    return { longest: Math.max(...durations), median: median(durations), writes: durations.length, took };
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { startEmbedded } from "#runtime/migrations/embedded-postgres/index";
import { migrate } from "#runtime/migrations/runner/index";
import { service } from "../generated/index.ts";
import { rows } from "./scenarios.ts";

/** Starts a PostgreSQL of the benchmark's own, with the example app's tables and `rows` authors. */
export async function startDatabase(
  root: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const log = pino({ level: "warn" });
  const server = await startEmbedded({ home: join(root, "var", "benchmark"), log, settings });
  const name = `benchmark_${process.pid}`;
  const admin = new pg.Client(server.url);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  await migrate({ url, ...(await serviceMigrations(service.migrations)), log });
  await fill(url);
  return {
    url,
    async stop() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      await server.stop();
    },
  };
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `insert into authors (name, country, born_on, biography, website, contact_email)
     select 'Author ' || n, 'C' || n % 10, date '1950-01-01' + n % 15000, repeat('Wrote many books. ', 8),
            'https://example.org/' || n, 'author' || n || '@example.org'
     from generate_series(1, $1) as n`,
    [rows],
  );
  await client.query("vacuum analyze authors");
  await client.end();
}

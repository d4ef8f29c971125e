import { randomUUID } from "node:crypto";
import { join } from "node:path";
import bcrypt from "bcrypt";
import pg from "pg";
import pino from "pino";
import { createDatabase, createHttpServer, createServer, readConfig } from "#runtime/index";
import { listen } from "#runtime/process/index";
import { service } from "../generated/index.ts";
import { startDatabase } from "./database.ts";
import { median } from "./measure.ts";

/** How long a refused login takes, in milliseconds: the median of many. */
export interface LoginTimes {
  readonly known: number;
  readonly unknown: number;
}

const logins = 40;

/** Times logins with a wrong password for an address that has an account and for one that has none, by turns. */
export async function loginTimes(root: string): Promise<LoginTimes> {
  const database = await startDatabase(root);
  const log = pino({ level: "silent" });
  const pool = createDatabase({ url: database.url, log });
  const config = readConfig({
    root,
    manifestPath: join(root, "models", "manifest.json"),
    environment: { ...process.env, SERVICE_AUTH_JWT_SECRET_KEY: randomUUID() },
  });
  await addAccount(database.url, config.auth.bcryptCost);
  const unlimited = { ...config, rateLimit: { ...config.rateLimit, enabled: false } };
  const server = createHttpServer(createServer(service, { config: unlimited, database: pool, log }));
  const url = `${await listen(server, 0, "127.0.0.1")}${config.authPrefix}/login`;
  try {
    return await timeByTurns(url);
  } finally {
    server.close();
    server.closeAllConnections();
    await pool.close();
    await database.stop();
  }
}

async function timeByTurns(url: string): Promise<LoginTimes> {
  const known: number[] = [];
  const unknown: number[] = [];
  await timeOne(url, "nobody@example.org");
  for (let turn = 0; turn < logins; turn++) {
    known.push(await timeOne(url, "ann@example.org"));
    unknown.push(await timeOne(url, `nobody${turn}@example.org`));
  }
  return { known: median(known), unknown: median(unknown) };
}

async function timeOne(url: string, email: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password: "Wrong-Horse-1!" }),
  });
  await response.arrayBuffer();
  if (response.status !== 401) throw new Error(`a wrong password was answered ${response.status}`);
  return performance.now() - startedAt;
}

async function addAccount(url: string, cost: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const hash = await bcrypt.hash("Correct-Horse-1!", cost);
  await client.query(
    "insert into users (email, password, is_verified) values ('ann@example.org', $1, true)",
    [hash],
  );
  await client.end();
}

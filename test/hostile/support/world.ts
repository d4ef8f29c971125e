import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsonwebtoken from "jsonwebtoken";
import type { Logger } from "pino";
import { afterAll } from "vitest";
import { type Config, readConfig } from "../../../runtime/config/index.ts";
import type { ModelRoutes } from "../../../runtime/crud/index.ts";
import { createDatabase, type Database } from "../../../runtime/database/index.ts";
import { createHttpServer } from "../../../runtime/http/index.ts";
import { createServer } from "../../../runtime/server.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { allModels, tables, vaultPolicy, vaults } from "./models.ts";

export const secret = "a secret of forty characters for testing";

export type Row = Record<string, unknown>;

/** What operations answer in `data`: rows, one row, or a report. A test knows which. */
type Data = readonly Row[] & {
  readonly id: number | string;
  readonly updated_count: number;
  readonly inserted_count: number;
  readonly updated_ids: readonly number[];
  readonly inserted_ids: readonly number[];
  readonly failed_records: readonly Row[];
};

/** The envelope; `expectEnvelope` checks that it is one. */
interface Envelope {
  readonly statusCode: number;
  readonly status: string;
  readonly error?: string;
  readonly message: string;
  readonly data: Data;
  readonly details?: { readonly field?: string; readonly errors?: readonly Row[] };
  readonly pagination?: Row;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Envelope;
}

export interface Request {
  readonly method?: string;
  /** Path and query, already encoded. */
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A string or bytes are sent as they are; anything else as JSON. */
  readonly body?: unknown;
}

export interface World {
  readonly db: TestDatabase;
  readonly database: Database;
  readonly port: number;
  readonly send: (request: Request) => Promise<Reply>;
}

export interface WorldOptions {
  readonly models?: readonly ModelRoutes[];
  readonly sql?: string;
  readonly maxConnections?: number;
  readonly bulkLimit?: number;
  readonly log?: Logger;
}

/** A running service on a database of its own, with the models of `models.ts`. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { models = allModels, sql = tables, maxConnections = 6, log = silent } = options;
  const db = await testDatabase();
  await db.query(sql);
  const database = createDatabase({ url: db.url, maxConnections, log });
  const service = {
    name: "hostile",
    models,
    internalModels: [{ model: vaults, policy: vaultPolicy }],
    migrations: new URL(".", import.meta.url),
  };
  const config = testConfig(options.bulkLimit ?? 1000);
  const server = createHttpServer(createServer(service, { config, database, log }));
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const agent = new Agent({ keepAlive: true });
  afterAll(async () => {
    agent.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await database.close();
  });
  return { db, database, port, send: (wanted) => send(port, agent, wanted) };
}

function testConfig(bulkLimit: number): Config {
  const root = mkdtempSync(join(tmpdir(), "kirak-hostile-"));
  try {
    const manifestPath = join(root, "manifest.json");
    writeFileSync(manifestPath, JSON.stringify({ name: "hostile", server: { bulk_limit: bulkLimit } }));
    return readConfig({ root, manifestPath, environment: { SERVICE_AUTH_JWT_SECRET_KEY: secret } });
  } finally {
    rmSync(root, { recursive: true });
  }
}

function send(port: number, agent: Agent, wanted: Request): Promise<Reply> {
  const { method = "GET", path, token, headers = {}, body } = wanted;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const bytes = body === undefined ? undefined : Buffer.from(isRaw ? body : JSON.stringify(body));
  const all = {
    ...(bytes !== undefined && { "content-type": "application/json", "content-length": bytes.length }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, agent, method, path, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const status = response.statusCode ?? 0;
        resolve({ status, headers: response.headers, text, json: text === "" ? null : JSON.parse(text) });
      });
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** An access token as the account routes will issue it; `claims` replaces some. */
export function token(role: string, userId = "1", claims: Record<string, unknown> = {}): string {
  const iat = Math.floor(Date.now() / 1000);
  return jsonwebtoken.sign(
    {
      sub: userId,
      role,
      email: "",
      jti: randomUUID(),
      type: "access",
      iat,
      exp: iat + 3600,
      ...claims,
    },
    secret,
  );
}

/** A query string of parameters. */
export function query(parameters: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(parameters)}`;
}

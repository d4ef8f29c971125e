import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bcrypt from "bcrypt";
import pg from "pg";
import { afterAll, expect } from "vitest";
import { BackgroundTasks } from "#runtime/core/concurrency/deferred-tasks";
import { readConfig } from "#runtime/core/config/index";
import { createDatabase } from "#runtime/core/database/index";
import { createHttpServer, createServer } from "#runtime/index";
import { listen } from "#runtime/process/http-lifecycle";
import { service } from "../../generated/index.ts";
import { serviceDatabase } from "../../test/support/database.ts";
import { type Reply, type Sent, sendRequest } from "../../test/support/request.ts";
import { type Caller, jwtSecret, tokenOf } from "../../test/support/service-token.ts";
import { silent } from "../../test/support/silent-log.ts";
import { developmentPassword } from "../seed/accounts.ts";
import { insertTable } from "../seed/insert.ts";
import { shop } from "../seed/shop.ts";

const passwordHash = bcrypt.hashSync(developmentPassword, 4);
const root = join(import.meta.dirname, "..", "..");

/** What `npm run seed` makes unless it is told otherwise: the rows that the docs show. */
export const seededRows = 15_000;

/**
 * The book shop with a small seed, or one of about `rows` rows, on a database of its own. `call` sends `GET /books/fetch` and the like as somebody,
 * `send` with a token; `found` waits for a mail or text message, and gives what is found in it. Files are below `files`.
 */
export async function shopService(rows = 400, settings: NodeJS.ProcessEnv = {}) {
  const home = mkdtempSync(join(tmpdir(), "kirak-shop-"));
  cpSync(join(root, "models", "mails"), join(home, "models", "mails"), { recursive: true });
  const { url, query } = await serviceDatabase(service);
  await seedShop(url, rows);
  const config = readConfig({
    root,
    manifestPath: join(root, "models", "manifest.json"),
    environment: {
      SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret,
      SERVICE_AUTH_VERIFICATION_KEY: jwtSecret.toUpperCase(),
      SERVICE_DATABASE_URL: url,
      SERVICE_SET_STORAGE__ROOT: join(home, "files"),
      ...settings,
    },
  });
  const database = createDatabase({ url, maxConnections: 5, log: silent });
  const background = new BackgroundTasks(silent);
  const app = createServer(service, { config: { ...config, root: home }, database, log: silent, background });
  const server = createHttpServer(app);
  const origin = await listen(server, 0, "127.0.0.1");
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await background.drain();
    await database.close();
    rmSync(home, { recursive: true });
  });
  const send = (request: string, token: string | null, body?: Sent["body"]): Promise<Reply> => {
    const [method = "", path = ""] = request.split(" ");
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return sendRequest(origin, { method, path, headers, body });
  };
  const call = (request: string, as: Caller, body?: Sent["body"]) =>
    send(request, as === null ? null : tokenOf(as), body);
  const found = async (pattern: RegExp) => {
    const messages = () => contentsOf(join(home, "var", "kirak", "outbox"));
    await expect.poll(messages, { timeout: 10_000, interval: 20 }).toMatch(pattern);
    return pattern.exec(messages())?.[0] ?? "";
  };
  const place = { config: { ...config, root: home }, database, url };
  return { origin, call, send, query, found, files: join(home, "files"), place };
}

function contentsOf(folder: string): string {
  if (!existsSync(folder)) return "";
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  return names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

/** Stores about so many made-up rows. */
export async function seedShop(url: string, rows: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const table of shop(rows, passwordHash)) await insertTable(client, table, () => {});
  await client.end();
}

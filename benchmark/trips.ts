/** `npm run trips`: how many files of the runtime one warm request enters. See docs/architecture.md. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Session } from "node:inspector/promises";
import type { AddressInfo } from "node:net";
import jsonwebtoken from "jsonwebtoken";
import pg from "pg";
import { createHttpServer } from "#runtime/index";
import { startDatabase } from "./database.ts";
import { createBookshop } from "./servers/bookshop.ts";

const root = process.cwd();
const secret = randomBytes(32).toString("hex");
const database = await startDatabase(root);
process.env["BENCHMARK_SECRET"] = secret;
process.env["BENCHMARK_DATABASE_URL"] = database.url;
const server = createHttpServer(await createBookshop({ rateLimit: { enabled: true } }));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const token = jsonwebtoken.sign({ role: "staff", email: "staff@example.org", type: "access" }, secret, {
  subject: "1",
  jwtid: "trips",
  expiresIn: "1h",
});

let sent = 0;
const author = () => ({ name: `Author ${sent++}`, country: "XX", born_on: "1970-01-02" });
const book = () => ({ title: `Book ${sent++}`, isbn: isbn(sent), price: "9.90", author_id: 1 });
const account = { email: "trips@example.org", password: "A long pass phrase 1!" };
const requests: readonly { name: string; path: string; body?: () => unknown }[] = [
  { name: "list", path: "/authors/fetch?country=C1&order_by=name&limit=10" },
  { name: "create", path: "/authors/create", body: () => ({ data: author() }) },
  { name: "create with hooks", path: "/books/create", body: () => ({ data: book() }) },
  {
    name: "GraphQL join",
    path: "/graphql",
    body: () => ({ query: "{ books(limit: 10) { id author { name } } }" }),
  },
  {
    name: "register",
    path: "/auth/register",
    body: () => ({ ...account, email: `trips${sent++}@example.org` }),
  },
  { name: "login", path: "/auth/login", body: () => account },
];

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await send({ path: "/auth/register", body: () => account });
await run("update users set is_verified = true");
for (const request of requests) {
  await send(request);
  await entered();
  await send(request);
  process.stdout.write(`${request.name.padEnd(20)}${String((await entered()).length).padStart(4)} files\n`);
}
server.close();
server.closeAllConnections();
await database.stop();
process.exit();

async function send({ path, body }: { path: string; body?: () => unknown }): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "content-type": "application/json",
      ...(!path.startsWith("/auth/") && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body()) }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${path}: ${response.status} ${text}`);
}

async function run(sql: string): Promise<void> {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** The files of the runtime in which a function ran since the last call. */
async function entered(): Promise<string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => /\/runtime\/.*\.js$/.test(url) && !url.includes("/node_modules/"))
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => url);
}

/** An ISBN-13 with its check digit. */
function isbn(n: number): string {
  const digits = `978${String(n).padStart(9, "0")}`;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

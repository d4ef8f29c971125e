import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import express from "express";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { findPostmaster } from "#runtime/migrations/embedded-postgres/embedded";
import { Closers } from "#runtime/process/closers";
import { explain } from "#runtime/process/failure";
import { launch } from "#runtime/process/launch";
import { onTerminal } from "../../support/command.ts";
import { compiled } from "../../support/compiled.ts";
import { testDatabase } from "../../support/database.ts";
import { silentServer } from "../../support/free-port.ts";
import { needs } from "../../support/needs.ts";
import {
  endServiceProcesses,
  type ServiceProcess,
  startServiceProcess,
} from "../../support/service-process.ts";

const script = process.platform === "linux" ? needs("script") : null;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kirak-process-"));
  mkdirSync(join(root, "models"));
  writeFileSync(
    join(root, "models/manifest.json"),
    JSON.stringify({ server: { shutdown_timeout_seconds: 5 } }),
  );
});

afterEach(() => {
  endServiceProcesses();
  rmSync(root, { recursive: true, force: true });
});

const start = (environment: Record<string, string>) =>
  startServiceProcess(new URL("service-in-process.ts", import.meta.url), root, environment);

/** Lines about the process itself, which ignore the log level. */
function messages(service: ServiceProcess): string[] {
  return [...service.output().matchAll(/"msg":"((?:listening|stop)[^"]*)"/g)].map(
    ([, message = ""]) => message,
  );
}

test("modules that no declared part needs are not loaded at the start", async () => {
  const { url } = await testDatabase();
  writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ email: { provider: "log" } }));
  const service = start({ SERVICE_DATABASE_URL: url });
  const loaded = await (await fetch(`${await service.listening()}/loaded`)).text();
  const isLoaded = (name: string) => loaded.includes(`/node_modules/${name}/`);
  expect(["express", "pg", "bcrypt"].filter((name) => !isLoaded(name))).toEqual([]);
  const deferred = [
    ...["better-sqlite3", "graphql", "handlebars", "ioredis", "knex", "libphonenumber-js"],
    // Only nodemailer's address parser is loaded.
    ...["lodash", "nodemailer/dist/cjs/mailer", "prom-client", "re2js", "saxes", "speakeasy"],
  ];
  expect(deferred.filter(isLoaded)).toEqual([]);
});

describe("stopping", () => {
  test("SIGTERM finishes the requests in flight, accepts no new ones, and exits 0", async () => {
    const { url } = await testDatabase();
    // From the .env file, where a variable that is set already wins.
    writeFileSync(join(root, ".env"), `SERVICE_DATABASE_URL=${url}\nPORT=1\n`);
    const service = start({ HOST: "" });
    const address = await service.listening();
    const { port } = new URL(address);
    expect(service.output()).toContain(
      `listening on http://0.0.0.0:${port} (http://127.0.0.1:${port} on this machine)`,
    );
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const slow = fetch(`${address}/slow`);
    await once(service.child, "message");
    service.child.kill("SIGTERM");
    await expect
      .poll(
        () =>
          fetch(`${address}/healthz`).then(
            () => true,
            () => false,
          ),
        { interval: 20 },
      )
      .toBe(false);
    service.child.send("go on");
    const response = await slow;
    expect(await response.text()).toBe("done");
    expect(await service.exit).toBe(0);
    expect(messages(service)).toEqual([expect.stringMatching(/^listening/), "stopping: SIGTERM", "stopped"]);
  });

  test("a request that does not end is cut off in time", async () => {
    writeFileSync(
      join(root, "models/manifest.json"),
      JSON.stringify({ server: { shutdown_timeout_seconds: 0.1 } }),
    );
    const service = start({ SERVICE_DATABASE_URL: inject("postgresUrl") });
    const slow = fetch(`${await service.listening()}/slow`);
    const outcome = expect(slow).rejects.toThrow();
    await once(service.child, "message");
    service.child.kill("SIGTERM");
    await outcome;
    expect(await service.exit).toBe(0);
  });

  test("a second signal ends the process at once", async () => {
    const service = start({ SERVICE_DATABASE_URL: inject("postgresUrl") });
    const address = await service.listening();
    const slow = fetch(`${address}/slow`).catch(() => null);
    await once(service.child, "message");
    service.child.kill("SIGINT");
    await expect
      .poll(
        () =>
          fetch(`${address}/healthz`).then(
            () => true,
            () => false,
          ),
        { interval: 20 },
      )
      .toBe(false);
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(143);
    await slow;
  });
});

test.skipIf(script === null)("on a terminal the log is for people, to its last line", async () => {
  const module = fileURLToPath(compiled(new URL("service-in-process.ts", import.meta.url)));
  const service = onTerminal(script ?? "", ["exec", process.execPath, module, root], {
    ...{ SERVICE_DATABASE_URL: inject("postgresUrl"), PORT: "0", HOST: "127.0.0.1" },
  });
  await service.answer("sign-in page for development: http://127.0.0.1:", "\x03");
  expect(await service.exit).toBe(0);
  expect(service.screen()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}listening on http:/m);
  expect(service.screen()).toMatch(
    /listening on (http:\S+)\s.* info {2}overview of the API: \1\/\s.* info {2}sign-in page for development: \1\/auth\/sign-in\s/s,
  );
  expect(service.screen()).toMatch(/ warn {2}SERVICE_AUTH_API_KEY_SECRET is not set/);
  expect(service.screen()).not.toContain('"level"');
});

describe("an error that nothing caught", () => {
  test.each([
    ["/forgotten", "unhandledRejection", "info"],
    ["/thrown", "uncaughtException", "silent"],
  ])("%s is one masked fatal line, the end in order, and exit code 1", async (path, origin, level) => {
    writeFileSync(
      join(root, "models/manifest.json"),
      JSON.stringify({ name: "shop", server: { log_level: level } }),
    );
    const service = start({ SERVICE_DATABASE_URL: inject("postgresUrl") });
    const address = await service.listening();
    const slow = fetch(`${address}/slow`);
    await once(service.child, "message");
    expect(await (await fetch(address + path)).text()).toBe(path.slice(1));
    await expect.poll(() => service.output()).toMatch(/fatal|"level":60/);
    service.child.send("go on");
    expect(await (await slow).text()).toBe("done");
    expect(await service.exit).toBe(1);
    const lines = service
      .output()
      .split("\n")
      .filter((line) => line.includes("uncaught error"));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 60, name: "shop", origin, err: { message: "no mail for [masked]" } },
    ]);
    expect(service.output()).not.toContain("ann@");
    expect(messages(service).slice(-2)).toEqual(["stopping: a crash", "stopped"]);
  });
});

test("no request waits for a lock as long as for a statement", async () => {
  const service = start({ SERVICE_DATABASE_URL: inject("postgresUrl") });
  expect(await (await fetch(`${await service.listening()}/lock-timeout`)).json()).toEqual([["10s"]]);
});

test("a stop signal during the start is logged", async () => {
  const database = await silentServer();
  const service = start({ SERVICE_DATABASE_URL: database.url });
  await expect.poll(() => database.count(), { timeout: 15_000 }).toBeGreaterThan(0);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
  expect(messages(service)).toEqual(["stopping: SIGTERM", "stopped"]);
});

test("without SERVICE_DATABASE_URL it brings its own PostgreSQL, and takes it along when it stops", async () => {
  const service = start({});
  const address = await service.listening();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(service.output()).toMatch(/using the embedded PostgreSQL/);
  expect(service.output()).toMatch(/using the development secret/);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
  expect(findPostmaster(join(root, "var/kirak/postgres"))).toBe(null);
});

describe("each reason not to start is one clear message", () => {
  /** What the process would print. */
  async function failure(environment: Record<string, string>): Promise<string> {
    writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ server: { log_level: "fatal" } }));
    const closers = new Closers();
    const options = { root, environment, migrations: pathToFileURL(`${root}/`), createApp: () => express() };
    const error = await launch(options, closers, () => {}).catch((thrown: unknown) => thrown);
    await closers.run("done");
    return explain(error);
  }

  test("a port in use, with exit code 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : 0);
    const service = start({ SERVICE_DATABASE_URL: inject("postgresUrl"), PORT: port });
    expect(await service.exit).toBe(1);
    const output = service.output();
    expect(output).toMatch(new RegExp(`^port ${port} is in use: set PORT to another one$`, "m"));
    expect(output).not.toMatch(/at .*\.ts/);
    other.close();
  });

  test("a database that does not answer, without its password", async () => {
    const output = await failure({ SERVICE_DATABASE_URL: "postgres://user:hidden@127.0.0.1:1/app" });
    expect(output).toMatch(
      /^the database cannot be reached \(SERVICE_DATABASE_URL\): connect ECONNREFUSED 127\.0\.0\.1:1$/m,
    );
    expect(output).not.toMatch(/hidden|at .*\.ts/);
  });

  test("a database that does not exist", async () => {
    const url = new URL(inject("postgresUrl"));
    url.pathname = "/nowhere";
    expect(await failure({ SERVICE_DATABASE_URL: url.href })).toMatch(
      /cannot be reached.*: database "nowhere" does not exist$/m,
    );
  });

  test("production without its variables", async () => {
    const output = await failure({ NODE_ENV: "production" });
    expect(output).toMatch(/^ {2}- SERVICE_DATABASE_URL is not set/m);
    expect(output).toMatch(/^ {2}- SERVICE_AUTH_JWT_SECRET_KEY is not set/m);
    expect(output).toMatch(/^ {2}- models\/manifest\.json: base_url is missing/m);
  });

  test("production with all but base_url, which links are made of", async () => {
    const output = await failure({
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: inject("postgresUrl"),
      SERVICE_AUTH_JWT_SECRET_KEY: "s".repeat(32),
    });
    expect(output).toMatch(
      /base_url is missing, and NODE_ENV=production needs it: set it there, or SERVICE_SET_BASE_URL$/m,
    );
  });
});

test("the start names the settings of the manifest that the environment sets, without their values, and tells when to generate", async () => {
  mkdirSync(join(root, "generated"));
  writeFileSync(join(root, "models/models.json"), "{}");
  writeFileSync(join(root, "generated/manifest.lock.json"), '{ "models": "of other models" }');
  const service = start({
    SERVICE_DATABASE_URL: inject("postgresUrl"),
    SERVICE_SET_EMAIL__FROM: "Only here <shop@shop.example>",
    SERVICE_SET_SERVER__LOG_LEVEL: "warn",
  });
  await service.listening();
  // Also if they turn off the level of such lines.
  const names = "SERVICE_SET_EMAIL__FROM, SERVICE_SET_SERVER__LOG_LEVEL";
  expect(service.output()).toContain(`"set by the environment: ${names}"`);
  expect(service.output()).not.toContain("Only here");
  expect(service.output()).toMatch(/"level":40,.*models\/ changed after .*: run npm run generate"/);
});

test("the start warns of keys that fall back to the JWT secret, and of mails that cannot be sent, until they are set", async () => {
  const { url } = await testDatabase();
  const keys = ["API_KEY_SECRET", "ENCRYPTION_KEY", "VERIFICATION_KEY"].map((key) => `SERVICE_AUTH_${key}`);
  writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ email: { provider: "log" } }));
  const fallback = start({ SERVICE_DATABASE_URL: url });
  await fallback.listening();
  for (const key of keys) expect(fallback.output()).toMatch(new RegExp(`"level":40,.*${key} is not set`));
  const complete = Object.fromEntries(keys.map((key) => [key, "k".repeat(32)]));
  const quiet = start({
    SERVICE_DATABASE_URL: url,
    SERVICE_AUTH_JWT_SECRET_KEY: "s".repeat(32),
    ...complete,
  });
  await quiet.listening();
  expect(quiet.output()).not.toContain('"level":40');
});

test("a service that does not migrate logs the pending migrations, and the interrupted ones", async () => {
  const { url, query } = await testDatabase();
  await query(`CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL, run text NOT NULL);
    INSERT INTO kirak_migration_progress VALUES ('0009_gone', '[]', 'its')`);
  writeFileSync(
    join(root, "0001_late.js"),
    'export const migration = { name: "0001_late", parent: null, up: [], down: [] };\n',
  );
  const service = start({ SERVICE_DATABASE_URL: url, SERVICE_MIGRATE_ON_START: "false" });
  await service.listening();
  expect(service.output()).toMatch(
    /"pending":\["kirak_0001_accounts","kirak_0002_rate_limits","kirak_0003_web_auth","kirak_0004_account_management","0001_late"\].*run npm run migrate/,
  );
  expect(service.output()).toMatch(
    /0009_gone is in progress or was interrupted: if it was, npm run migrate removes/,
  );
  expect(await query("SELECT name FROM kirak_migration_progress")).toHaveLength(1);
});

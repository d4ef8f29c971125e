import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { compile } from "#generator/compile/compile-check";
import { createDatabase } from "#runtime/core/database/index";
import { createHttpServer, createServer, readConfig, ServiceError } from "#runtime/index";
import { enqueue, prepareQueue } from "#runtime/modules/jobs/index";
import { listen } from "#runtime/process/http-lifecycle";
import { service } from "../http/fixture/generated/index.ts";
import { compiled } from "../support/compiled.ts";
import { serviceDatabase } from "../support/database.ts";
import { sendRequest } from "../support/request.ts";
import { startProgram } from "../support/service-process.ts";
import { jwtSecret, tokenOf } from "../support/service-token.ts";
import { silent } from "../support/silent-log.ts";

vi.setConfig({ testTimeout: 60_000 });

const root = join(import.meta.dirname, "..", "..");
const docs = readFileSync(join(root, "docs", "embedding.md"), "utf8");

/** The programs of the docs, by the paths in their first lines. */
const programs = new Map(
  [...docs.matchAll(/```ts\n\/\/ (\w+\.ts)\n([^`]+)```/g)].map(([, path = "", code = ""]) => [path, code]),
);

// A folder like the repository, so that the examples can be at their paths; they serve the fixture.
const folder = mkdtempSync(join(tmpdir(), "kirak-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));
const link = (target: string, place = target) => symlinkSync(join(root, target), join(folder, place));
for (const name of ["lib", "node_modules", "package.json", "tsconfig.json"]) link(name);
mkdirSync(join(folder, "models"));
link("test/http/fixture/generated", "generated");
for (const name of ["hooks", "jobs", "mails"]) link(`test/http/fixture/${name}`, name);
link("test/http/fixture/stage.ts", "stage.ts");
link("test/http/fixture/manifest.json", "models/manifest.json");
link("test/http/fixture/mails", "models/mails");
for (const [path, code] of programs) writeFileSync(join(folder, path), code);

const { url } = await serviceDatabase(service);

const environment = { SERVICE_DATABASE_URL: url, SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret };

function start(path: string) {
  return startProgram(
    compiled(new URL("../../cli/kirak.ts", import.meta.url)),
    ["run", path],
    environment,
    folder,
  );
}

const answer = async (origin: string, path: string) =>
  JSON.parse((await sendRequest(origin, { method: "GET", path })).text);
/** Of the stamps of the fixture, which has none yet. */
const counted = { status: "success", data: { count: 0 } };

test("the programs of docs/embedding.md compile", async () => {
  expect([...programs.keys()]).toEqual(["server.ts", "own.ts"]);
  const { errors } = await compile({ root, overlay: programs, further: [] });
  expect(errors).toEqual([]);
});

test("the service runs wrapped, with routes around it, and ends in order", async () => {
  const { child, exit, listening, output } = start("server.ts");
  const origin = await listening();
  const hello = (headers = {}) => sendRequest(origin, { method: "GET", path: "/hello", headers });
  expect(JSON.parse((await hello()).text)).toEqual({ hello: "scenarios", role: "guest", user_id: null });
  const staff = await hello({ authorization: `Bearer ${tokenOf({ sub: "7", role: "staff" })}` });
  expect(JSON.parse(staff.text)).toMatchObject({ role: "staff", user_id: "7" });
  const refused = await hello({ authorization: "Bearer x" });
  expect([refused.status, refused.envelope.error]).toEqual([401, "INVALID_TOKEN"]);
  expect(await answer(origin, "/stamps/count")).toMatchObject(counted);
  for (const path of ["/nothing", "/%E0%A4%A", "/stamps/%00"])
    expect(await answer(origin, path)).toEqual({ nothing: path });
  child.kill("SIGTERM");
  expect(await exit, output()).toBe(0);
  expect(output()).toContain('"msg":"answered"');
});

test("the service and its jobs run in a custom process, and end in order", async () => {
  await prepareQueue(url, silent);
  const database = createDatabase({ url, log: silent });
  onTestFinished(() => database.close());
  const job = { name: "send-later", payload: JSON.stringify({ text: "a" }), runAt: null, key: null };
  await enqueue(database, { ...job, attempts: 1, queue: null });
  const { child, exit, output } = start("own.ts");
  const port = await vi.waitFor(() => /"port":(\d+)/.exec(output())?.[1] ?? expect.fail(output()), 30_000);
  expect(await answer(`http://127.0.0.1:${port}`, "/stamps/count")).toMatchObject(counted);
  await expect.poll(output, { timeout: 30_000 }).toContain("a job of the fixture");
  child.kill("SIGTERM");
  expect(await exit, output()).toBe(0);
});

test("the service responds below the path that it is mounted at, next to other routes", async () => {
  const config = readConfig({
    root,
    manifestPath: join(root, "test/http/fixture/manifest.json"),
    environment,
  });
  const database = createDatabase({ url, log: silent });
  const served = createServer(service, { config, database, log: silent });
  const app = express().use("/shop", served);
  app.get("/own", (_, response) => void response.json("mine"));
  app.get("/errors/:code", ({ params: { code } }) => {
    throw code === "none" ? new Error("mine") : Reflect.construct(ServiceError, [code]);
  });
  const others: express.ErrorRequestHandler = (error, _request, response, _next) =>
    void response.status(500).json(error.message);
  app.use(served.answerErrors, others);
  const server = createHttpServer(app);
  const origin = await listen(server, 0, "127.0.0.1");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await database.close();
  });
  expect(await answer(origin, "/own")).toBe("mine");
  expect(await answer(origin, "/errors/TOO_LATE")).toEqual({
    ...{ statusCode: 410, status: "error", error: "TOO_LATE", message: "The slot has passed.", data: null },
  });
  expect(await answer(origin, "/errors/MISSING_TOKEN")).toMatchObject({ statusCode: 401 });
  expect(await answer(origin, "/errors/TOO_LAT")).toMatchObject({ statusCode: 500, error: "INTERNAL_ERROR" });
  expect(await answer(origin, "/errors/none")).toBe("mine");
  expect(await answer(origin, "/shop/nothing")).toMatchObject({ error: "NOT_FOUND" });
  expect(await answer(origin, "/shop/stamps/count")).toMatchObject(counted);
  expect(await answer(origin, "/shop/stamps/fetch?limit=1&page=2")).toMatchObject({
    pagination: { page: 2 },
  });
  expect(await answer(origin, "/shop/readyz")).toMatchObject({ message: "ready" });
  const post = { method: "POST", path: "/shop/graphql", body: { query: "{ stamps { id } }" } };
  expect((await sendRequest(origin, post)).envelope.data).toEqual({ stamps: [] });
});

import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import express from "express";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { createHttpServer } from "../../../runtime/http/index.ts";
import { Closers } from "../../../runtime/process/closers.ts";
import { Deadline } from "../../../runtime/process/deadline.ts";
import { drain, listen } from "../../../runtime/process/http-lifecycle.ts";
import { launch, type Parts } from "../../../runtime/process/launch.ts";
import { createServer } from "../../../runtime/server.ts";
import { service } from "../../http/fixture/generated/index.ts";
import { stage } from "../../http/fixture/stage.ts";
import { requestHead } from "../../support/application.ts";
import { Balancer } from "../../support/balancer.ts";

/** A connection that has sent nothing yet. */
async function opened(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** The status line of the answer to the one request of a connection, or the code of what went wrong. */
async function answerOn(socket: Socket): Promise<string | undefined> {
  try {
    socket.write(requestHead("GET /work"));
    const [data] = await once(socket, "data");
    return String(data).split("\r\n")[0];
  } catch (error) {
    return String(error);
  } finally {
    socket.destroy();
  }
}

/** A folder of a project whose services have these settings. */
function project(server: Readonly<Record<string, number>>): string {
  const root = mkdtempSync(join(tmpdir(), "kirak-rolling-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "models"));
  const manifest = { server: { log_level: "silent", ...server } };
  writeFileSync(join(root, "models", "manifest.json"), JSON.stringify(manifest));
  return root;
}

/** A service in this process, without models; `/work` takes a while, `/held` does not answer. */
async function startService(root: string) {
  const closers = new Closers();
  onTestFinished(() => closers.run());
  const migrations = pathToFileURL(`${root}/`);
  const inFlight: string[] = [];
  let parts: Parts | undefined;
  const { url, address } = await launch(
    {
      root,
      environment: { SERVICE_DATABASE_URL: inject("postgresUrl"), PORT: "0" },
      migrations,
      createApp(all) {
        parts = all;
        const app = express();
        app.get("/work", async (_request, response) => {
          await all.database.run({ name: null, text: "SELECT pg_sleep(0.005)" }, []);
          response.end("done");
        });
        app.get("/held", () => void inFlight.push("held"));
        return app.use(createServer({ ...service, models: [], internalModels: [], migrations }, all));
      },
    },
    closers,
    () => {},
  );
  if (parts === undefined) throw new Error("no application was created");
  return { url, address, inFlight, background: parts.background, stop: () => closers.run("SIGTERM") };
}

test("three instances are restarted in turn behind a balancer that asks readyz, and no request fails", async () => {
  const root = project({ drain_seconds: 0.5 });
  const services = [await startService(root), await startService(root), await startService(root)];
  const balancer = new Balancer(services.map(({ url }) => url));
  onTestFinished(() => balancer.close());
  await expect.poll(() => services.every((_, index) => balancer.isReady(index))).toBe(true);
  const outcomes = new Map<number | string, number>();
  let isOver = false;
  const clients = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const outcome = await balancer.get("/work");
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  });
  for (const [index, { stop }] of services.entries()) {
    await stop();
    balancer.replace(index, (await startService(root)).url);
    await expect.poll(() => balancer.isReady(index)).toBe(true);
  }
  isOver = true;
  await Promise.all(clients);
  expect([...outcomes.keys()]).toEqual([200]);
  expect(outcomes.get(200)).toBeGreaterThan(100);
});

test("three instances are restarted ten times while clients hold connections that have sent nothing yet, and no request fails", async () => {
  // Nothing is silent for too long, however slow the machine is.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const start = async () => {
    const server = createHttpServer(
      express().get("/work", (_request, response) => void response.end("done")),
    );
    return { server, origin: await listen(server, 0, "127.0.0.1") };
  };
  const inUse = [await start(), await start(), await start()];
  const outcomes = new Map<string | undefined, number>();
  let sent = 0;
  let isOver = false;
  const open = () => opened(inUse[sent++ % inUse.length]?.origin ?? "");
  const clients = Array.from({ length: 12 }, async () => {
    let next = await open();
    while (!isOver) {
      const socket = next;
      next = await open();
      const outcome = await answerOn(socket);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    next.destroy();
  });
  for (let restart = 0; restart < 30; restart++) {
    const server = inUse.shift()?.server;
    if (server !== undefined) await drain(server, { deadline: new Deadline(60_000) });
    inUse.push(await start());
  }
  isOver = true;
  await Promise.all(clients);
  await Promise.all(inUse.map(({ server }) => drain(server, { deadline: new Deadline(60_000) })));
  expect([...outcomes.keys()]).toEqual(["HTTP/1.1 200 OK"]);
});

test("a connection that never sent anything is closed once it was silent for half a second", async () => {
  const start = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(start);
  onTestFinished(() => clock.mockRestore());
  const server = createHttpServer(express());
  const origin = await listen(server, 0, "127.0.0.1");
  const early = await opened(origin);
  clock.mockReturnValue(start + 1);
  const late = await opened(origin);
  await expect
    .poll(() => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open))))
    .toBe(2);
  const drained = drain(server, { deadline: new Deadline(60_000) });
  clock.mockReturnValue(start + 500);
  await once(early, "close");
  expect(late.readyState).toBe("open");
  clock.mockReturnValue(start + 501);
  await Promise.all([once(late, "close"), drained]);
});

test("what is in flight and what goes on in the background share one deadline", async () => {
  const { url, inFlight, background, stop } = await startService(project({ shutdown_timeout_seconds: 0.2 }));
  const cut = expect(fetch(`${url}/held`)).rejects.toThrow();
  await expect.poll(() => inFlight).toEqual(["held"]);
  background.run("endless", () => new Promise(() => {}));
  const drained = vi.spyOn(background, "drain");
  await stop();
  await cut;
  // A timer may be early by a millisecond.
  expect(drained.mock.calls).toEqual([[expect.closeTo(0, -1)]]);
});

test.each([
  ["waits for what code of one's own has asked for after the commit", 5, ["first", "second", "drained"]],
  ["gives it up at the deadline", 0.2, ["drained"]],
])("a service that is told to stop %s", async (_, shutdown_timeout_seconds, expected) => {
  const { url, background, stop } = await startService(project({ shutdown_timeout_seconds }));
  const done: string[] = [];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  onTestFinished(() => void Object.assign(stage, { hooks: {}, fired: [] }));
  stage.hooks = {
    after_graphql(_value, { afterCommit }) {
      afterCommit(() => opened.then(() => void done.push("first")));
      afterCommit(() => void done.push("second"));
    },
  };
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ query: "{ __typename }" });
  const answer = await fetch(`${url}/graphql`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  const drain = vi.spyOn(background, "drain");
  const end = stop();
  await expect.poll(() => drain.mock.results.length).toBe(1);
  const drained = drain.mock.results[0]?.value.then(() => done.push("drained"));
  if (expected.length > 1) open();
  await Promise.all([drained, end]);
  expect(done).toEqual(expected);
});

test("it names the address that it listens on, and one to call it at", async () => {
  const { url, address } = await startService(project({}));
  const { port } = new URL(url);
  expect([address, url]).toEqual([`http://0.0.0.0:${port}`, `http://127.0.0.1:${port}`]);
});

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import express from "express";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { createHttpServer } from "#runtime/core/http/index";
import { Closers } from "#runtime/process/closers";
import { Deadline } from "#runtime/process/deadline";
import { drain, listen } from "#runtime/process/http-lifecycle";
import { launch, type ServerParts } from "#runtime/process/launch";
import { createServer } from "#runtime/server/server";
import { service } from "../../http/fixture/generated/index.ts";
import { stage } from "../../http/fixture/stage.ts";
import { requestHead } from "../../support/application.ts";
import { compiled } from "../../support/compiled.ts";
import { Balancer } from "../../support/proxy.ts";

/** A connection that has sent nothing yet. */
async function opened(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** The status line of the response to the only request of a connection, or the error code. */
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
  let parts: ServerParts | undefined;
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
  const root = project({ drain_seconds: 1 });
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

/** A server in a process of its own, and the connections that a balancer keeps to it. */
async function startInstance() {
  const child = fork(compiled(new URL("server-in-process.ts", import.meta.url)));
  onTestFinished(() => void child.kill("SIGKILL"));
  const next = async () => String((await once(child, "message"))[0]);
  return { child, next, origin: await next(), agent: new Agent({ keepAlive: true }) };
}

test("three processes are restarted ten times without a drain, and no request on a kept connection fails", async () => {
  const instances = await Promise.all([startInstance(), startInstance(), startInstance()]);
  onTestFinished(() => instances.forEach(({ agent }) => void agent.destroy()));
  const outcomes = { answered: 0, failed: [] as unknown[] };
  let turn = 0;
  let isOver = false;
  /** Like nginx: no POST is sent twice. A refused or reset new connection goes to the next instance. */
  const post = async (): Promise<void> => {
    const { origin, agent } = instances[turn++ % instances.length] ?? {};
    const sent = request(`${origin}/work`, { agent, method: "POST" }).end();
    try {
      const [response] = await once(sent, "response");
      await once(response.resume(), "end");
      outcomes.answered++;
    } catch (error) {
      if (sent.reusedSocket) outcomes.failed.push(error);
    }
  };
  const clients = Array.from({ length: 8 }, async () => {
    while (!isOver) await post();
  });
  for (let round = 0; round < 10; round++)
    for (const instance of instances) {
      instance.child.send("restart");
      const origin = await instance.next();
      await instance.next();
      Object.assign(instance, { origin, agent: new Agent({ keepAlive: true }) });
    }
  isOver = true;
  await Promise.all(clients);
  expect(outcomes.failed).toEqual([]);
  expect(outcomes.answered).toBeGreaterThan(100);
});

test("for half a second a server that has stopped listening answers connections that wait, are silent or idle", async () => {
  const server = createHttpServer(express().get("/work", (_request, response) => void response.end("done")));
  const origin = await listen(server, 0, "127.0.0.1");
  const idle = [await opened(origin), await opened(origin)];
  for (const socket of idle) {
    socket.write(requestHead("GET /work"));
    await once(socket, "data");
  }
  // The server accepts one connection a turn: most of them wait.
  const silent = await Promise.all(Array.from({ length: 10 }, () => opened(origin)));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const drained = drain(server, { deadline: new Deadline(60_000) });
  while (server.listening) await setImmediate();
  vi.advanceTimersByTime(499);
  const unused = [idle.pop(), silent.pop()];
  const answers = await Promise.all([...idle, ...silent].map(answerOn));
  expect(new Set(answers)).toEqual(new Set(["HTTP/1.1 200 OK"]));
  expect(unused.map((socket) => socket?.readyState)).toEqual(["open", "open"]);
  let isOver = false;
  void drained.then(() => {
    isOver = true;
  });
  while (!isOver) {
    vi.advanceTimersByTime(25);
    await setImmediate();
  }
});

test("requests in flight and background work share one deadline", async () => {
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
  ["waits for after-commit work of custom code", 5, ["first", "second", "drained"]],
  ["gives it up at the deadline", 0.2, ["drained"]],
])("a service that gets a stop signal %s", async (_, shutdown_timeout_seconds, expected) => {
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

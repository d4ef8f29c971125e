import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pino from "pino";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { type Cache, connectCache, plainError } from "#runtime/core/cache/index";
import { compiled } from "../../../support/compiled.ts";
import { eventually } from "../../../support/eventually.ts";
import { proxyTo } from "../../../support/proxy.ts";
import { hasRedis, type TestRedis, testRedis } from "../../../support/redis.ts";
import { certificate } from "../../../support/smtp.ts";

const password = "canary-of-redis";
let redis: TestRedis;
let cache: Cache;
let log: { level: number; msg: string; reason?: string }[] = [];
const logger = pino({ level: "info" }, { write: (line: string) => void log.push(JSON.parse(line)) });
const messages = () => log.map(({ level, msg }) => `${level} ${msg}`);
const down = "40 Redis cannot be reached";
const again = "30 Redis is reachable again";

const secured = (url: string) => url.replace("redis://", `redis://:${password}@`);

/** How long something takes, in milliseconds, whether it succeeds or not. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work().catch(() => {});
  return performance.now() - begin;
}

describe.skipIf(!hasRedis)("a connection to Redis", () => {
  beforeAll(async () => {
    redis = await testRedis();
  });

  beforeEach(async () => {
    log = [];
    cache = await connectCache(redis.url, logger);
  });

  afterEach(async () => {
    await cache.close();
    expect(await timeOf(() => cache.close())).toBeLessThan(250);
  });

  test("answers", async () => {
    await cache.ping();
    await cache.client.set("key", "value", "PX", 60_000);
    expect(await cache.client.get("key")).toBe("value");
    expect(log).toEqual([]);
  });

  test("commands of one turn of the event loop leave in one write", async () => {
    const { stream } = cache.client;
    const [single, several] = [vi.spyOn(stream, "_write"), vi.spyOn(stream, "_writev")];
    try {
      await Promise.all(Array.from({ length: 20 }, async () => cache.client.ping()));
      expect([single.mock.calls.length, several.mock.calls.length]).toEqual([0, 1]);
    } finally {
      single.mockRestore();
      several.mockRestore();
    }
  });

  test("killed and started again: commands reject at once, then work, with one line for each", async () => {
    await redis.kill();
    await eventually(() => expect(messages()).toEqual([down]));
    expect(await timeOf(() => cache.client.get("key"))).toBeLessThan(250);
    await expect(cache.ping()).rejects.toThrow();
    await redis.start();
    await eventually(() => cache.ping());
    expect(messages()).toEqual([down, again]);
  });

  test("paused: commands reject in time, then at once, and work again when it goes on", async () => {
    redis.pause();
    const first = await timeOf(() => cache.ping());
    expect(first).toBeGreaterThan(250);
    expect(first).toBeLessThan(900);
    await eventually(() => expect(messages()).toEqual([down]));
    expect(await timeOf(() => cache.ping())).toBeLessThan(250);
    redis.resume();
    await eventually(() => cache.ping());
    expect(messages()).toEqual([down, again]);
  });

  test.each([500, 1_500])(
    "an answer is in time that a process busy for %d ms has not read yet",
    async (busyMs) => {
      const sent = cache.client.get("key");
      // From the check phase timers come before what there is to read.
      await new Promise(setImmediate);
      const begin = performance.now();
      while (performance.now() - begin < busyMs);
      await expect(sent).resolves.not.toThrow();
      expect(log).toEqual([]);
    },
  );

  test("a connection on which nothing comes any more is given up for another one", async () => {
    await cache.close();
    const way = await proxyTo(redis.url);
    cache = await connectCache(way.url, logger);
    await cache.ping();
    way.stall();
    await expect(cache.ping()).rejects.toThrow("timed out");
    await eventually(() => cache.ping());
    expect(messages()).toEqual([down, again]);
    expect(log[0]?.reason).toBe("Redis does not answer");
  }, 15_000);

  test("closed while Redis is paused or down, it does not hang", async () => {
    redis.pause();
    expect(await timeOf(() => cache.close())).toBeLessThan(1_000);
    redis.resume();
    cache = await connectCache(redis.url, logger);
    await redis.kill();
    expect(await timeOf(() => cache.close())).toBeLessThan(1_000);
    await redis.start();
    await expect(cache.ping()).rejects.toThrow();
  });

  test("if no Redis runs at the start, the wait is short, and it connects when one starts", async () => {
    await cache.close();
    await redis.kill();
    expect(
      await timeOf(async () => {
        cache = await connectCache(secured(redis.url), logger);
      }),
    ).toBeLessThan(1_800);
    await expect(cache.ping()).rejects.toThrow();
    expect(messages()).toEqual([down]);
    expect(JSON.stringify(log)).not.toContain(password);
    await redis.start();
  });
});

describe.skipIf(!hasRedis)("a Redis with a password", () => {
  const start = async (url: string) => {
    log = [];
    cache = await connectCache(url, logger);
  };

  beforeAll(async () => {
    redis = await testRedis(["--requirepass", password]);
  });

  afterEach(() => cache.close());

  test("takes the one of the URL", async () => {
    await start(secured(redis.url));
    await cache.ping();
  });

  test.each([
    ["a wrong one", (url: string) => secured(url).replace("canary", "wrong-canary")],
    ["none", (url: string) => url],
  ])("with %s it is an outage, and no password is logged", async (_, urlOf) => {
    await start(urlOf(redis.url));
    await expect(cache.ping()).rejects.toThrow();
    expect(messages()).toEqual([down]);
    expect(log[0]?.reason).toMatch(/WRONGPASS|NOAUTH/);
    expect(JSON.stringify(log)).not.toContain("canary");
  });
});

const command = { name: "evalsha", args: ["hash", "1", "kirak:rl:auth:login:email:a@example.com"] };

test("an error of Redis is its message, without the command", () => {
  const error = plainError(Object.assign(new Error("WRONGTYPE Operation"), { command }));
  expect(error).toEqual(new Error("Redis: WRONGTYPE Operation"));
  expect(error).not.toHaveProperty("command");
});

test("values that a message repeats are left out", () => {
  const message = `ERR unknown command 'evalsha', with args beginning with: '${command.args.join("' '")}'\nx`;
  for (const error of [new Error(message), Object.assign(new Error(message), { command })])
    expect(plainError(error)).toEqual(new Error("Redis: ERR unknown command 'evalsha'"));
});

test("any other error is unchanged", () => {
  const error = new Error("Connection is closed.");
  for (const one of [error, "text", undefined, null]) expect(plainError(one)).toBe(one);
});

let folder: string;
let authority: string;

/** The output of a process that connects, asks, closes, and ends by itself. */
async function outputOf(url: string, environment: Record<string, string> = {}): Promise<string> {
  const script = fileURLToPath(compiled(new URL("cache-in-process.ts", import.meta.url)));
  const { stdout } = await promisify(execFile)(process.execPath, [script, url], {
    env: { PATH: process.env["PATH"], ...environment },
    timeout: 15_000,
  });
  return stdout;
}

/** Speaks TLS to its clients, and forwards their data. */
async function encrypted(url: string): Promise<string> {
  const server = createServer(certificate, (near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    near
      .on("error", () => far.destroy())
      .pipe(far.on("error", () => near.destroy()))
      .pipe(near);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return `rediss://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

describe.skipIf(!hasRedis)("a process with a connection to Redis", () => {
  beforeAll(async () => {
    redis = await testRedis();
    folder = mkdtempSync(join(tmpdir(), "kirak-cache-"));
    authority = join(folder, "authority.pem");
    writeFileSync(authority, certificate.cert);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("ends by itself when it is closed", async () => {
    expect(await outputOf(redis.url)).toBe("it answers\n");
  });

  test("ends by itself even if Redis does not respond, or does not exist", async () => {
    redis.pause();
    expect(await outputOf(redis.url)).toMatch(/Redis cannot be reached.*it does not answer\n$/s);
    redis.resume();
    await redis.kill();
    expect(await outputOf(redis.url)).toMatch(/Redis cannot be reached.*it does not answer\n$/s);
    await redis.start();
  });

  test("speaks TLS with rediss://, to a server whose certificate is good", async () => {
    const url = await encrypted(redis.url);
    expect(await outputOf(url, { NODE_EXTRA_CA_CERTS: authority })).toBe("it answers\n");
    expect(await outputOf(url)).toMatch(/self-signed certificate.*it does not answer\n$/s);
  });
});

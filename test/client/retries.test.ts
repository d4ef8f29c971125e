import { beforeEach, describe, expect, test } from "vitest";
import { fixtureClient } from "../support/client.ts";
import { errorOf, frontOf, type Play } from "../support/front.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";

const service = await testService();
const front = await frontOf(service.origin);
const { createClient } = await fixtureClient();
const options = { url: front.url, token: tokenOf("admin") };
const client = createClient(options);
const { folders } = client;

beforeEach(async () => {
  await service.store({ folders: [] });
  front.reset();
});

const busy = errorOf(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "0" });
const soon = errorOf(503, "HTTP_ERROR", { "retry-after": "0" });
const unknown = errorOf(503, "HTTP_ERROR");
const broken = errorOf(500, "DATABASE_ERROR");
const overloaded = { status: 503, body: "<html>" };

// biome-ignore format: one case a line
test.each<[what: string, play: Play, reads: number, writes: number]>([
  ["a lost connection", "drop", 2, 1],
  ["429", busy, 2, 2],
  ["503 with Retry-After", soon, 2, 2],
  ["503 without Retry-After", unknown, 2, 1],
  ["503 of a proxy", overloaded, 2, 1],
  ["503 of a proxy with Retry-After", { ...overloaded, headers: { "retry-after": "0" } }, 2, 1],
  ["500", broken, 1, 1],
])("%s", async (_, play, reads, writes) => {
  front.play(play);
  const read = await folders.fetch({ limit: 1 }).result();
  expect([read.ok, front.arrived.length]).toEqual([reads === 2, reads]);
  front.reset();
  front.play(play);
  const write = await folders.create({ name: "a" }).result();
  expect([write.ok, front.arrived.length]).toEqual([writes === 2, writes]);
});

test("a write whose answer was lost is not repeated", async () => {
  front.play("lose");
  await expect(folders.create({ name: "a" })).rejects.toMatchObject({ error: "NETWORK_ERROR" });
  expect(front.arrived).toHaveLength(1);
  expect(await folders.count()).toBe(1);
});

test("a timeout is not repeated", async () => {
  front.play("silence");
  await expect(folders.count(undefined, { timeout: 50 })).rejects.toMatchObject({ error: "TIMEOUT" });
  expect(front.arrived).toHaveLength(1);
});

test("GraphQL follows the rules of writes", async () => {
  front.play(busy, "drop");
  await expect(client.graphql("{ folders { id } }")).rejects.toMatchObject({ error: "NETWORK_ERROR" });
  expect(front.arrived).toHaveLength(2);
});

test("there are two further tries, or as many as the client says", async () => {
  front.play(busy, busy, busy, busy, busy, busy, busy);
  await expect(folders.count()).rejects.toMatchObject({ error: "RATE_LIMIT_EXCEEDED" });
  expect(front.arrived).toHaveLength(3);
  await expect(createClient({ ...options, retries: 0 }).folders.count()).rejects.toMatchObject({
    status: 429,
  });
  expect(front.arrived).toHaveLength(4);
  await expect(createClient({ ...options, retries: 3 }).folders.count()).resolves.toBe(0);
  expect(front.arrived).toHaveLength(8);
});

describe("the pause", () => {
  async function milliseconds(call: () => Promise<unknown>): Promise<number> {
    const begin = performance.now();
    await call();
    return performance.now() - begin;
  }

  test("is 250 ms, then doubled, with jitter", async () => {
    front.play("drop");
    const one = await milliseconds(() => folders.count());
    expect(one).toBeGreaterThan(180);
    front.play(unknown, unknown);
    expect(await milliseconds(() => folders.count())).toBeGreaterThan(540);
    const pauses = await Promise.all([0, 1, 2, 3].map(() => milliseconds(() => lost())));
    expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(1);
  });

  function lost() {
    front.play("drop");
    return folders.count();
  }

  test("is Retry-After", async () => {
    front.play(errorOf(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "1" }));
    expect(await milliseconds(() => folders.count())).toBeGreaterThan(990);
  });

  test("is 60 seconds at most, all together: else the call fails at once", async () => {
    const wait = (seconds: string) => errorOf(429, "RATE_LIMIT_EXCEEDED", { "retry-after": seconds });
    front.play(wait("61"));
    await expect(folders.count()).rejects.toMatchObject({ retryAfter: 61 });
    front.play(wait("1"), wait("60"));
    await expect(folders.count()).rejects.toMatchObject({ retryAfter: 60 });
    expect(front.arrived).toHaveLength(3);
  });

  test("ends with an abort", async () => {
    const controller = new AbortController();
    front.play(errorOf(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "50" }));
    const call = folders.count(undefined, { signal: controller.signal });
    await front.reached(1);
    setImmediate(() => controller.abort("enough"));
    expect(await call.catch((thrown) => thrown)).toBe("enough");
    expect(front.arrived).toHaveLength(1);
  });
});

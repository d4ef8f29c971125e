import { beforeEach, describe, expect, test } from "vitest";
import { fixtureClient } from "../support/client.ts";
import { errorOf, frontOf, type Played } from "../support/front.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";

const service = await testService();
const front = await frontOf(service.origin);
const { createClient, isApiError, ApiError } = await fixtureClient();
const options = { url: front.url, token: tokenOf("admin"), retries: 0 };
const { folders } = createClient(options);

beforeEach(() => front.reset());

test("a failure of the service has its code, status, details and request", async () => {
  const call = folders.create({ name: 7 });
  const thrown: unknown = await call.catch((error) => error);
  expect(thrown).toBeInstanceOf(ApiError);
  expect(thrown).toBeInstanceOf(Error);
  expect(isApiError(thrown)).toBe(true);
  expect(thrown).toMatchObject({
    ...{ name: "ApiError", error: "VALIDATION_ERROR", status: 400, details: { field: "name" } },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    message: expect.stringContaining("string"),
  });
  expect(isApiError(new Error("no"))).toBe(false);
});

test("result() gives the same failure, and never rejects", async () => {
  const { ok, data, error } = await folders.create({ name: 7 }).result();
  expect([ok, data, error?.error]).toEqual([false, undefined, "VALIDATION_ERROR"]);
  expect(await folders.fetch({ limit: 1 }).result()).toEqual({ ok: true, data: expect.any(Array) });
  expect((await folders.fetch({ where: { no: 1 } }).result()).error?.error).toBe("VALIDATION_ERROR");
});

test("a limit says when to come again", async () => {
  front.play(errorOf(429, "RATE_LIMIT_EXCEEDED", { "retry-after": "61" }));
  await expect(folders.count()).rejects.toMatchObject({
    error: "RATE_LIMIT_EXCEEDED",
    status: 429,
    retryAfter: 61,
  });
});

test("no answer is NETWORK_ERROR", async () => {
  front.play("drop");
  const { error } = await folders.count().result();
  expect(error).toMatchObject({ error: "NETWORK_ERROR", status: 0, requestId: null });
  expect(error?.message).toBe("GET /folders/count: no answer");
  expect(error?.cause).toBeInstanceOf(TypeError);
});

const envelope = { statusCode: 200, status: "success", message: "", data: { count: 1 } };

// biome-ignore format: one case a line
test.each<[name: string, answer: Played]>([
  ["a page of a proxy", { status: 502, body: "<html>Bad gateway</html>" }],
  ["another JSON", { status: 200, body: { count: 1 } }],
  ["JSON that is no object", { status: 200, body: "null" }],
  ["an empty answer", { status: 204 }],
  ["an envelope of another status", { status: 201, body: envelope }],
  ["an envelope without the data", { status: 200, body: { ...envelope, data: null } }],
])("%s is UNEXPECTED_ANSWER", async (_, answer) => {
  front.play({ ...answer, headers: { "x-request-id": "r1" } });
  const { error } = await folders.count().result();
  expect(error).toMatchObject({ error: "UNEXPECTED_ANSWER" });
  if (answer.status !== 200) expect(error).toMatchObject({ status: answer.status, requestId: "r1" });
});

test("a redirect is not followed: it would send the token on", async () => {
  front.play({ status: 307, headers: { location: `${service.origin}/folders/count` } });
  await expect(folders.count()).rejects.toMatchObject({ error: "NETWORK_ERROR" });
  expect(front.arrived).toHaveLength(1);
});

describe("the timeout", () => {
  /** On a busy machine, a request can end before it arrives. */
  const allAreLeft = () => expect.poll(() => front.left.length - front.arrived.length).toBe(0);

  test("ends a try", async () => {
    front.always("/folders/count", "silence");
    const { error } = await folders.count(undefined, { timeout: 50 }).result();
    expect(error).toMatchObject({
      error: "TIMEOUT",
      status: 0,
      message: "GET /folders/count: no answer in 50 ms",
    });
    await allAreLeft();
  });

  test("is of the client, and 0 turns it off", async () => {
    front.always("/folders/count", "silence");
    const hasty = createClient({ ...options, timeout: 50 });
    await expect(hasty.folders.count()).rejects.toMatchObject({ error: "TIMEOUT" });
    const controller = new AbortController();
    const patient = hasty.folders.count(undefined, { timeout: 0, signal: controller.signal });
    await expect(hasty.folders.count()).rejects.toMatchObject({ error: "TIMEOUT" });
    await expect(Promise.race([patient, Promise.resolve("waits")])).resolves.toBe("waits");
    controller.abort("enough");
    await expect(patient.result()).resolves.toMatchObject({ error: { error: "ABORTED" } });
    await allAreLeft();
  });
});

describe("an abort", () => {
  test("rejects with the reason of the signal; in a result it is ABORTED", async () => {
    front.always("/folders/count", "silence");
    const controller = new AbortController();
    const call = folders.count(undefined, { signal: controller.signal });
    await front.reached(1);
    controller.abort();
    const { reason } = controller.signal;
    expect(await call.result()).toMatchObject({
      ok: false,
      error: { error: "ABORTED", status: 0, cause: reason },
    });
    expect(await call.catch((thrown) => thrown)).toBe(reason);
    await expect.poll(() => front.left.length).toBe(1);
  });

  test("before the call sends nothing", async () => {
    const signal = AbortSignal.abort("not now");
    expect(await folders.count(undefined, { signal }).catch((thrown) => thrown)).toBe("not now");
    expect(await folders.fetch({}, { signal }).result()).toMatchObject({ error: { error: "ABORTED" } });
    expect(front.arrived).toEqual([]);
  });
});

test("headers of the client and of the call are sent, those of the call win", async () => {
  const { folders } = createClient({ ...options, headers: { "X-App": "shop", "X-One": "client" } });
  await folders.count(undefined, { headers: { "x-one": "call" } });
  expect(front.arrived[0]?.headers).toMatchObject({ "x-app": "shop", "x-one": "call" });
});

test("another fetch is used", async () => {
  const urls: unknown[] = [];
  const own: typeof fetch = (url, init) => {
    urls.push(url);
    return fetch(url, init);
  };
  await createClient({ ...options, fetch: own }).folders.count();
  expect(urls).toEqual([`${front.url}/folders/count`]);
});

describe("an error of the app's own code", () => {
  const own = new Error("not now");
  const fails = () => {
    throw own;
  };

  test.each([
    ["token", { token: fails }],
    ["a store", { storage: { get: fails, set: fails } }],
  ])("%s: the call rejects with the error, and its result is ABORTED", async (_, changed) => {
    const { folders } = createClient({ url: front.url, retries: 0, ...changed });
    expect(await folders.count().catch((thrown) => thrown)).toBe(own);
    expect(await folders.fetch().then(undefined, (thrown) => thrown)).toBe(own);
    expect(await folders.count().result()).toMatchObject({
      error: { error: "ABORTED", status: 0, cause: own, message: "Error: not now" },
    });
    expect(front.arrived).toEqual([]);
  });

  test("a body that is not JSON", async () => {
    await expect(folders.create({ size: 1n })).rejects.toThrow(TypeError);
    expect(front.arrived).toEqual([]);
  });
});

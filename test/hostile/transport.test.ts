import { beforeEach, describe, expect, it } from "vitest";
import { token } from "../support/model-service.ts";
import { type RawReply, sendRaw } from "../support/request.ts";
import { startWorld } from "./support/models.ts";

const inner = '{"data":{"name":"smuggled"}}';
const smuggled = `POST /things/create HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`;
const last = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const head = (line: string, ...headers: string[]) => [line, "Host: x", ...headers, "", ""].join("\r\n");

describe("what comes over the wire", async () => {
  const world = await startWorld();

  beforeEach(async () => {
    await world.db.query("truncate things restart identity");
  });

  const smuggledRows = () => world.db.query("select from things");

  function expectError(reply: RawReply | undefined, status: number): void {
    expect(reply?.status, reply?.head).toBe(status);
    expect(JSON.parse(reply?.body ?? "")).toMatchObject({ statusCode: status, status: "error", data: null });
    expect(reply?.head).toMatch(/^x-request-id: [\w-]{36}\r?$/im);
  }

  const create = "POST /things/create HTTP/1.1";
  const json = "Content-Type: application/json";

  // biome-ignore format: one case a line
  it.each([
    ["length and chunks", `${head(create, json, "Content-Length: 4", "Transfer-Encoding: chunked")}0\r\n\r\n`],
    ["chunks and length", `${head(create, json, "Transfer-Encoding: chunked", "Content-Length: 4")}0\r\n\r\n`],
    ["two lengths", head(create, json, "Content-Length: 0", `Content-Length: ${smuggled.length}`)],
    ["a list of lengths", head(create, json, "Content-Length: 0, 5")],
    ["a length with a sign", `${head(create, json, "Content-Length: +5")}{}   `],
    ["a length in hex", `${head(create, json, "Content-Length: 0x5")}{}   `],
    ["a length with a fraction", `${head(create, json, "Content-Length: 5.0")}{}   `],
    ["an unknown encoding", `${head(create, json, "Transfer-Encoding: xchunked")}0\r\n\r\n`],
    ["chunked that is not last", `${head(create, json, "Transfer-Encoding: chunked, identity")}0\r\n\r\n`],
    ["a blank before the colon", `${head(create, json, "Transfer-Encoding : chunked")}0\r\n\r\n`],
    ["a folded header", `${head(create, json, "Transfer-Encoding:\r\n chunked")}0\r\n\r\n`],
    ["a chunk size in 0x", `${head(create, json, "Transfer-Encoding: chunked")}0x5\r\nhello\r\n0\r\n\r\n`],
    ["a negative chunk size", `${head(create, json, "Transfer-Encoding: chunked")}-1\r\n\r\n`],
    ["a huge chunk size", `${head(create, json, "Transfer-Encoding: chunked")}fffffffffffffffff\r\n`],
    ["a chunk without its end", `${head(create, json, "Transfer-Encoding: chunked")}2\r\n{}0\r\n\r\n`],
    ["lines that end in LF", "POST /things/create HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}"],
    ["NUL in a header", head(create, json, "X-A: a\0b")],
    ["a header without a name", head(create, json, ": b")],
    ["no such version", head("GET /things/fetch HTTP/9.9")],
    ["no version", "GET /things/fetch\r\n\r\n"],
    ["a method in lower case", head("get /things/fetch HTTP/1.1")],
    ["an unknown method", head("STEAL /things/fetch HTTP/1.1")],
    ["a blank in the target", head("GET /things/fetch x HTTP/1.1")],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("%s: refused, and what follows is not read as a request", async (_, bytes) => {
    const replies = await sendRaw(world.port, bytes + smuggled);
    expect(replies.length).toBeLessThanOrEqual(1);
    expectError(replies[0], 400);
    expect(await smuggledRows()).toHaveLength(0);
  });

  it("a body that a route does not read is no request either", async () => {
    const length = `Content-Length: ${smuggled.length}`;
    const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    const requests = [
      `${head("GET /things/count HTTP/1.1", length)}${smuggled}`,
      `${head("POST /papers/create HTTP/1.1", length)}${smuggled}`,
      `${head("POST /nothing HTTP/1.1", "Transfer-Encoding: chunked")}${chunk}`,
    ];
    const replies = await sendRaw(world.port, requests.join("") + last);
    expect(replies.map(({ status }) => status)).toEqual([415, 403, 404, 200]);
    expect(await smuggledRows()).toHaveLength(0);
  });

  it("requests behind each other are answered in order", async () => {
    const get = (path: string) => head(`GET ${path} HTTP/1.1`);
    const replies = await sendRaw(world.port, `${get("/nothing")}${smuggled}${get("/things/count")}${last}`);
    expect(replies.map(({ status }) => status)).toEqual([404, 200, 200, 200]);
  });

  it.each([
    ["/things/fetch/", 404],
    ["//things/fetch", 404],
    ["/things//fetch", 404],
    ["/./things/fetch", 404],
    ["/things/x/../fetch", 404],
    ["/things/..%2ffetch", 404],
    ["/things%2ffetch", 404],
    ["/things%2Ffetch", 404],
    ["/things%5cfetch", 404],
    ["\\things\\fetch", 400],
    ["/things/fetch.", 404],
    ["/things/fetch;x", 404],
    ["/things/fetch%20", 404],
    ["/Things/fetch", 404],
    ["/things/Fetch", 404],
    ["/things/fetch%00", 400],
    ["/things/%", 400],
    ["/things/fetch%ff", 400],
    ["/things/fetch#x", 404],
    ["/things/%66etch", 200],
    ["/things/fetch?", 200],
    ["/things/fetch?#", 400],
    ["http://evil.example/things/fetch", 200],
    ["http://evil.example", 404],
    ["//evil.example/things/fetch", 404],
    ["*", 404],
    ["/healthz/", 404],
    ["/HEALTHZ", 404],
    ["/healthz%2f", 404],
    ["/healthz?x", 200],
  ])("the target %s is %i", async (target, status) => {
    const [reply, ...rest] = await sendRaw(world.port, head(`GET ${target} HTTP/1.1`, "Connection: close"));
    expect(rest).toEqual([]);
    if (status === 200) expect(reply?.status).toBe(200);
    else expectError(reply, status);
  });

  it.each(["/healthz", "/readyz", "/things/fetch"])(
    "%s allows only GET and HEAD, and lists them",
    async (path) => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
        const [reply] = await sendRaw(world.port, head(`${method} ${path} HTTP/1.1`, "Connection: close"));
        expectError(reply, 405);
        expect(reply?.head).toMatch(/^Allow: GET, HEAD\r?$/m);
      }
    },
  );

  it("an invalid request id is not repeated", async () => {
    for (const id of [
      "a b",
      "a\tb",
      "a;b",
      "<script>",
      "a%0d%0aSet-Cookie:x",
      "\u00e9",
      "x".repeat(129),
      "",
      "a\\r\\nX: y",
    ]) {
      const [reply] = await sendRaw(
        world.port,
        head("GET /nothing HTTP/1.1", "Connection: close", `X-Request-Id: ${id}`),
      );
      expectError(reply, 404);
      expect(reply?.head).not.toMatch(/set-cookie/i);
    }
    const [reply] = await sendRaw(
      world.port,
      head("GET /nothing HTTP/1.1", "Connection: close", "X-Request-Id: a", "X-Request-Id: b"),
    );
    expectError(reply, 404);
  });

  it("headers beyond what a server reads: 431, and none is dropped in silence", async () => {
    const long = await sendRaw(world.port, head("GET /things/fetch HTTP/1.1", `X-A: ${"a".repeat(20_000)}`));
    expectError(long[0], 431);
    const many = Array.from({ length: 3000 }, () => "a:");
    const [reply] = await sendRaw(
      world.port,
      head("GET /things/fetch HTTP/1.1", "Connection: close", ...many, "Authorization: Bearer x"),
    );
    expectError(reply, 401);
    const [inHead] = await sendRaw(
      world.port,
      head("HEAD /things/fetch HTTP/1.1", `X-A: ${"a".repeat(20_000)}`),
    );
    expect([inHead?.status, inHead?.body]).toEqual([431, ""]);
  });

  it("a body beyond the limit: 413, announced or not, and the answer arrives", async () => {
    const limit = 1024 * 1024;
    const big = "x".repeat(limit + 1);
    const announced = await sendRaw(
      world.port,
      head(create, json, `Content-Length: ${big.length}`) + big,
      false,
    );
    expectError(announced[0], 413);
    const chunked = `${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`;
    const hidden = await sendRaw(
      world.port,
      head(create, json, "Transfer-Encoding: chunked") + chunked,
      false,
    );
    expectError(hidden[0], 413);
    const claimed = await sendRaw(
      world.port,
      `${head(create, json, "Content-Length: 99999999999999999999")}{}`,
    );
    expect([400, 413]).toContain(claimed[0]?.status);
  });

  it.each([
    ["no Host", []],
    ["two of them", ["Host: x", "Host: x"]],
    ["a list of them", ["Host: x, y"]],
    ["a blank in it", ["Host: x y"]],
    ["a path in it", ["Host: x/y"]],
    ["an invalid port", ["Host: x:y"]],
    ["a user in it", ["Host: me@x"]],
  ])("%s: 400, and the connection serves the next request", async (_, hosts) => {
    const request = ["GET /things/count HTTP/1.1", ...hosts, "X-Request-Id: mine", "", ""].join("\r\n");
    const [reply, next] = await sendRaw(world.port, request + last);
    expect(JSON.parse(reply?.body ?? "")).toMatchObject({ statusCode: 400, error: "VALIDATION_ERROR" });
    expect(reply?.head).toMatch(/^X-Request-Id: mine\r?$/m);
    expect(reply?.head).toMatch(/^X-Content-Type-Options: nosniff\r?$/im);
    expect(next?.status).toBe(200);
  });

  it.each(["", "x", "x:80", "x:", "a_b.example", "[::1]:3000", "127.0.0.1:3000", "xn--bcher-kva.example."])(
    "Host may be %j",
    async (host) => {
      const request = ["GET /healthz HTTP/1.1", `Host: ${host}`, "Connection: close", "", ""].join("\r\n");
      expect((await sendRaw(world.port, request))[0]?.status).toBe(200);
    },
  );

  it("HTTP/1.0 needs no Host", async () => {
    expect((await sendRaw(world.port, "GET /healthz HTTP/1.0\r\n\r\n"))[0]?.status).toBe(200);
  });

  it("a body that ends too early changes nothing", async () => {
    const replies = await sendRaw(world.port, head(create, json, "Content-Length: 500") + inner, true);
    expect(replies.every(({ status }) => status === 400)).toBe(true);
    expect(await smuggledRows()).toHaveLength(0);
    expect((await world.send({ path: "/readyz" })).status).toBe(200);
  });

  it("an unknown expectation is ignored; 100-continue is answered", async () => {
    const odd = await sendRaw(
      world.port,
      head("GET /things/count HTTP/1.1", "Connection: close", "Expect: 200-maybe"),
    );
    expect(odd[0]?.status).toBe(200);
    const lines = ["Connection: close", "Expect: 100-continue", json, `Content-Length: ${inner.length}`];
    expect((await sendRaw(world.port, head(create, ...lines) + inner))[0]?.status).toBe(200);
  });

  it("an upgrade to another protocol is not made", async () => {
    const lines = [
      "Connection: upgrade, close",
      "Upgrade: websocket",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    const [reply] = await sendRaw(world.port, head("GET /things/count HTTP/1.1", ...lines));
    expect(reply?.status).toBe(200);
    const [tunnel, ...rest] = await sendRaw(
      world.port,
      `${head("CONNECT evil.example:80 HTTP/1.1")}${smuggled}`,
    );
    expectError(tunnel, 501);
    expect(rest).toEqual([]);
    expect(await smuggledRows()).toHaveLength(0);
  });

  it("two credentials of one kind are none: a proxy may have checked the other", async () => {
    const good = `Authorization: Bearer ${token("admin")}`;
    for (const second of [good, "Authorization: Bearer x", "authorization: ", "AUTHORIZATION: Basic YTpi"]) {
      const [first] = await sendRaw(
        world.port,
        head("GET /papers/fetch HTTP/1.1", "Connection: close", good, second),
      );
      expectError(first, 401);
      const [last] = await sendRaw(
        world.port,
        head("GET /things/fetch HTTP/1.1", "Connection: close", second, good),
      );
      expectError(last, 401);
    }
  });
});

import { createSecretKey, randomBytes } from "node:crypto";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { LinkSignatures } from "#runtime/modules/storage/stores/local/local-store";
import type { Sent } from "../../support/request.ts";
import { storageService } from "../../support/storage.ts";

const service = await storageService({ publicPrefixes: ["public/", "é/"] });
const signatures = new LinkSignatures(service.config.secrets.jwt);
const soon = () => Math.floor(Date.now() / 1000) + 60;

/** The query of a good link to a key. */
function signed(key: string, expires = soon()): string {
  return `expires=${expires}&signature=${signatures.of(key, expires)}`;
}

const encoded = (key: string) => key.split("/").map(encodeURIComponent).join("/");

const get = (path: string, headers: Sent["headers"] = {}, method = "GET") =>
  service.send({ method, path: `/storage/files/${path}`, headers });

/** By a good link. */
const read = (key: string, headers: Sent["headers"] = {}, method = "GET") =>
  get(`${encoded(key)}?${signed(key)}`, headers, method);

const letters = "abcdefghijklmnopqrstuvwxyz";

beforeAll(async () => {
  await service.place({
    "a.txt": letters,
    "empty.txt": "",
    "folder/b.txt": "b",
    "Ünï cödé/文件 name.txt": "ü",
    "public/p.txt": "p",
    "public/.thumbnails/p.txt/small.png": "thumbnail",
    "é/a.txt": "é",
    ".thumbnails/a.txt/small.png": "thumbnail",
    ".hidden/a.txt": "hidden",
    "folder/.hidden.txt": "hidden",
    "a+b.txt": "no key",
  });
  await mkdir(join(service.root, "empty"));
  await symlink(join(service.root, "a.txt"), join(service.root, "link.txt"));
  await symlink(join(service.root, "folder"), join(service.root, "linked"));
  await symlink("/etc", join(service.root, "etc"));
});

describe("a link", () => {
  const key = "a.txt";
  const expires = soon();
  const signature = signatures.of(key, expires);

  test("is good for its file", async () => {
    expect(await get(`a.txt?expires=${expires}&signature=${signature}`)).toMatchObject({
      status: 200,
      text: letters,
    });
  });

  test("can have additional parameters, which are ignored", async () => {
    expect((await get(`a.txt?x=1&signature=${signature}&expires=${expires}&x=1`)).status).toBe(200);
  });

  test.each([
    ["nothing", ""],
    ["no signature", `expires=${expires}`],
    ["no expiry", `signature=${signature}`],
    ["empty ones", "expires=&signature="],
    ["another expiry", `expires=${expires + 1}&signature=${signature}`],
    ["an expiry with a zero before it", `expires=0${expires}&signature=${signature}`],
    ["an expiry with a plus", `expires=%2B${expires}&signature=${signature}`],
    ["an expiry with a blank", `expires=${expires}+&signature=${signature}`],
    ["an expiry with a fraction", `expires=${expires}.0&signature=${signature}`],
    ["an expiry with an exponent", `expires=${expires}e0&signature=${signature}`],
    ["an expiry as a text", `expires=tomorrow&signature=${signature}`],
    ["an endless expiry", `expires=${"9".repeat(400)}&signature=${signature}`],
    ["an expiry twice", `expires=${expires}&expires=${expires}&signature=${signature}`],
    ["a signature twice", `expires=${expires}&signature=${signature}&signature=${signature}`],
    ["an array", `expires[]=${expires}&signature[]=${signature}`],
    ["a signature that is cut", `expires=${expires}&signature=${signature.slice(0, -2)}`],
    ["a signature that goes on", `expires=${expires}&signature=${signature}00`],
    ["a signature in capitals", `expires=${expires}&signature=${signature.toUpperCase()}`],
    ["another signature", `expires=${expires}&signature=${signatures.of("a", expires)}`],
    ["no digits", `expires=${expires}&signature=${"z".repeat(64)}`],
    ["what cannot be decoded", `expires=${expires}&signature=%ff`],
    ["broken encoding", `expires=${expires}&signature=%`],
    ["an expiry that is over", signed(key, Math.floor(Date.now() / 1000) - 1)],
    ["an expiry that is now", signed(key, Math.floor(Date.now() / 1000))],
    ["names in capitals", `EXPIRES=${expires}&SIGNATURE=${signature}`],
  ])("with %s is 403, whether there is such a file or not", async (_, query) => {
    for (const path of ["a.txt", "missing.txt"]) {
      const reply = await get(`${path}?${query}`);
      expect(reply.envelope).toMatchObject({ statusCode: 403, error: "PERMISSION_DENIED" });
      expect(reply.headers["cache-control"]).toBe("no-store");
      expect(reply.headers).not.toHaveProperty("etag");
    }
  });

  test("is good for no other file, and path and expiry are kept apart", async () => {
    expect((await get(`folder/b.txt?${signed(key)}`)).status).toBe(403);
    // `1` and `0/a` together are `10` and `/a`.
    const parts = signatures.of("0/a.txt", Math.floor(expires / 10));
    expect((await get(`a.txt?expires=${expires}&signature=${parts}`)).status).toBe(403);
  });

  test("of another secret is invalid", async () => {
    const other = new LinkSignatures([createSecretKey(randomBytes(32))]);
    expect((await get(`a.txt?expires=${expires}&signature=${other.of(key, expires)}`)).status).toBe(403);
  });

  test("covers the decoded path: however it is encoded, it is the same file", async () => {
    expect((await get(`%61%2etxt?${signed(key)}`)).text).toBe(letters);
    expect((await get(`folder%2Fb.txt?${signed("folder/b.txt")}`)).text).toBe("b");
    const name = "Ünï cödé/文件 name.txt";
    expect((await get(`${encoded(name)}?${signed(name)}`)).text).toBe("ü");
    expect((await get(`${encoded(name.normalize("NFD"))}?${signed(name)}`)).text).toBe("ü");
  });

  test("of an unknown file is 404, and so is that of a folder, and what lies behind symbolic links", async () => {
    const unknown = ["missing.txt", "folder", "empty", "a.txt/b", "link.txt", "linked/b.txt", "etc/passwd"];
    for (const path of unknown)
      expect((await read(path)).envelope, path).toMatchObject({ statusCode: 404, error: "NOT_FOUND" });
  });

  test("reads no credential, not even a wrong one", async () => {
    for (const headers of [
      { authorization: "Bearer nonsense" },
      { authorization: "Basic YTpi" },
      { cookie: "access_token=nonsense" },
      { "x-api-key": "nonsense" },
    ])
      expect((await read(key, headers)).status).toBe(200);
    const reply = await service.send({ method: "GET", path: "/storage/files/a.txt" }, { role: "admin" });
    expect(reply.status).toBe(403);
  });

  test("may be asked for in the absolute form", async () => {
    const path = `http://shop.example/storage/files/a.txt?${signed(key)}`;
    expect(await service.send({ method: "GET", path })).toMatchObject({ status: 200, text: letters });
  });

  test("and its file are not in the log", async () => {
    service.log.length = 0;
    await get(`${key}?${signed(key)}`);
    await get(`a secret name?${signed(key)}`.replaceAll(" ", "%20"));
    await expect
      .poll(() => service.log.slice(-2))
      .toMatchObject([
        { path: "/storage/files/{path}", status: 200 },
        { path: "/storage/files/{path}", status: 403 },
      ]);
    expect(JSON.stringify(service.log)).not.toMatch(/a\.txt|secret|signature/);
  });

  test("leads to a thumbnail too", async () => {
    expect((await read(".thumbnails/a.txt/small.png")).text).toBe("thumbnail");
  });
});

describe("a path that is no key is 403, even with a signature", () => {
  // biome-ignore format: many on a line
  test.each([
    "", "/a.txt", "a.txt/", "folder//b.txt", "./a.txt", "folder/../a.txt", "../a.txt", "%2e%2e/a.txt", "%2E%2E%2Fa.txt",
    "..%2f..%2fetc/passwd", "%252e%252e/a.txt", "a%252etxt", "..%5ca.txt", "..\\a.txt", "folder%5Cb.txt", "%2fetc/passwd", "%00",
    "a.txt%00", "a.txt%00.png", "a%0Ab", "%0d%0aX: y", "%e2%80%aea.txt", "%ff", "%", "%zz", "%c0%ae%c0%ae/a.txt", ".hidden/a.txt",
    "folder/.hidden.txt", ".uploads/a", ".thumbnails", ".thumbnails/a.txt", ".thumbnails/a.txt/small.png/x",
    ".thumbnails/../a.txt", "folder/.thumbnails/.hidden.txt/small.png", "a+b.txt", "a:b", "a*b", "x".repeat(256),
    `${"x/".repeat(256)}x`, "y".repeat(8000), "public/../a.txt", "public%2f..%2fa.txt", "public/.hidden",
  ])("%j", async (path) => {
    const queries = new Set([signed(path)]);
    try {
      queries.add(signed(decodeURIComponent(path)));
    } catch {
      // It has no decoded form.
    }
    for (const query of queries)
      expect((await get(`${path.replaceAll(" ", "%20")}?${query}`)).envelope).toMatchObject({ statusCode: 403,
        error: "PERMISSION_DENIED",
      });
  });
});

describe("below a public prefix", () => {
  test("everyone can read a file, with any parameters, and caches revalidate it", async () => {
    for (const query of ["", "?v=2", "?expires=1&signature=wrong"]) {
      const reply = await get(`public/p.txt${query}`);
      expect(reply).toMatchObject({ status: 200, text: "p" });
      expect(reply.headers["cache-control"]).toBe("public, no-cache");
      expect(reply.headers["cross-origin-resource-policy"]).toBe("cross-origin");
    }
    expect((await get("public/.thumbnails/p.txt/small.png")).text).toBe("thumbnail");
    expect((await get(`${encoded("e\u0301")}/a.txt`)).text).toBe("é");
  });

  test.each([
    ["public/missing.txt", 404],
    ["public", 403],
    ["public/", 403],
    ["publicity.txt", 403],
    ["Public/p.txt", 403],
    [".thumbnails/public/small.png", 403],
  ])("%s is %d", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe("an answer", () => {
  test("says what it is, and is harmless", async () => {
    const { headers } = await read("a.txt");
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": "26",
      "content-disposition": 'inline; filename="a.txt"',
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"[^"]+"$/),
      "x-request-id": expect.any(String),
    });
    expect(headers).not.toHaveProperty("set-cookie");
  });

  test("names the file as RFC 6266 has it", async () => {
    const { headers } = await read("Ünï cödé/文件 name.txt");
    expect(headers["content-disposition"]).toBe(
      "inline; filename=\"__ name.txt\"; filename*=UTF-8''%E6%96%87%E4%BB%B6%20name.txt",
    );
  });

  test("to HEAD is the same without its body, for any range", async () => {
    const [whole, head] = [await read("a.txt"), await read("a.txt", { range: "bytes=0-1" }, "HEAD")];
    expect(head).toMatchObject({ status: 200, text: "" });
    const { date: _date, "x-request-id": _id, ...expected } = whole.headers;
    expect(head.headers).toMatchObject(expected);
    expect((await read("missing", {}, "HEAD")).status).toBe(404);
    expect((await get("a.txt", {}, "HEAD")).status).toBe(403);
  });

  test("of an empty file is empty", async () => {
    const reply = await read("empty.txt");
    expect(reply).toMatchObject({ status: 200, text: "" });
    expect(reply.headers["content-length"]).toBe("0");
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])("to %s is 405", async (method) => {
    const reply = await read("a.txt", {}, method);
    expect(reply.envelope).toMatchObject({ statusCode: 405, error: "HTTP_ERROR" });
    expect(reply.headers["allow"]).toBe("GET, HEAD");
  });

  test("to a path outside the folder is 404", async () => {
    for (const path of ["/storage/files", "/storage/Files/a.txt", "/storage/filesa.txt", "/files/a.txt"])
      expect((await service.send({ method: "GET", path: `${path}?${signed("a.txt")}` })).status).toBe(404);
  });
});

describe("a condition", () => {
  const tagOf = async (key: string) => (await read(key)).headers.etag ?? "";

  test("of a tag that is known is 304", async () => {
    const tag = await tagOf("a.txt");
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/${tag} , "y"`, "*", " * "]) {
      for (const method of ["GET", "HEAD"]) {
        const reply = await read("a.txt", { "if-none-match": known, range: "bytes=0-1" }, method);
        expect(reply).toMatchObject({ status: 304, text: "" });
        expect(reply.headers).toMatchObject({ etag: tag, "cache-control": "private, no-cache" });
        expect(reply.headers).not.toHaveProperty("content-length");
      }
    }
    for (const other of ['"x"', tag.slice(1, -1), tag.toUpperCase().replace(/[A-Z]/, "!"), ""])
      expect(await read("a.txt", { "if-none-match": other })).toMatchObject({ status: 200, text: letters });
    expect((await read("missing", { "if-none-match": "*" })).status).toBe(404);
  });

  test("that the file is the same one is kept, or 412", async () => {
    const tag = await tagOf("a.txt");
    for (const right of [tag, `"x", ${tag}`, "*"])
      expect((await read("a.txt", { "if-match": right })).status).toBe(200);
    for (const wrong of ['"x"', `W/${tag}`, ""])
      expect((await read("a.txt", { "if-match": wrong })).envelope).toMatchObject({
        statusCode: 412,
        error: "HTTP_ERROR",
      });
  });

  test("of a range holds only for the same file", async () => {
    const tag = await tagOf("a.txt");
    const range = "bytes=0-1";
    expect(await read("a.txt", { range, "if-range": tag })).toMatchObject({ status: 206, text: "ab" });
    for (const other of [`W/${tag}`, '"x"', new Date().toUTCString()])
      expect(await read("a.txt", { range, "if-range": other })).toMatchObject({ status: 200, text: letters });
  });

  test("changes with the file", async () => {
    await service.place({ "a.txt": letters });
    const tag = await tagOf("a.txt");
    await service.place({ "a.txt": letters.toUpperCase() });
    expect((await read("a.txt", { "if-none-match": tag })).text).toBe(letters.toUpperCase());
    await service.place({ "a.txt": letters, "empty.txt": "" });
  });
});

describe("a range", () => {
  test.each([
    ["bytes=0-0", "a", "0-0"],
    ["bytes=0-25", letters, "0-25"],
    ["bytes=2-4", "cde", "2-4"],
    ["bytes=23-", "xyz", "23-25"],
    ["bytes=-3", "xyz", "23-25"],
    ["bytes=-99", letters, "0-25"],
    ["bytes=20-99", "uvwxyz", "20-25"],
    [`bytes=24-${"9".repeat(400)}`, "yz", "24-25"],
    ["BYTES=0-1", "ab", "0-1"],
    ["bytes=007-007", "h", "7-7"],
  ])("%s is that part", async (range, part, place) => {
    const reply = await read("a.txt", { range });
    expect(reply).toMatchObject({ status: 206, text: part });
    expect(reply.headers).toMatchObject({
      "content-range": `bytes ${place}/26`,
      "content-length": `${part.length}`,
      "content-type": "text/plain; charset=utf-8",
      "content-security-policy": "sandbox; default-src 'none'",
    });
  });

  // biome-ignore format: many on a line
  test.each([
    "bytes=0-1,3-4", "bytes=0-1, 30-", "bytes=-", "bytes=4-2", "bytes=a-b", "bytes=1.5-2", "bytes=--1", "bytes=", "lines=0-1",
    "0-1", "", "bytes=0x1-0x2",
  ])("%j is not served as a range: the whole file is", async (range) => {
    const reply = await read("a.txt", { range });
    expect(reply).toMatchObject({ status: 200, text: letters });
    expect(reply.headers).not.toHaveProperty("content-range");
  });

  test.each([
    ["a.txt", "bytes=26-", 26],
    ["a.txt", "bytes=26-30", 26],
    ["a.txt", `bytes=${"9".repeat(400)}-`, 26],
    ["a.txt", "bytes=-0", 26],
    ["empty.txt", "bytes=0-", 0],
    ["empty.txt", "bytes=0-0", 0],
  ])("of %s, %s is 416", async (key, range, size) => {
    const reply = await read(key, { range });
    expect(reply.envelope).toMatchObject({ statusCode: 416, error: "HTTP_ERROR" });
    expect(reply.headers["content-range"]).toBe(`bytes */${size}`);
  });
});

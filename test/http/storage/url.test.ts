import { describe, expect, test } from "vitest";
import { filePart, formOf } from "../../support/multipart.ts";
import { fileScenarios, performWithFiles, storageService } from "../../support/storage.ts";

const service = await storageService({ publicPrefixes: ["covers/"] });
const files = {
  "a/b.jpg": "picture",
  "a/.thumbnails/b.jpg/small.jpg": "small",
  "caf\u00e9/a b.txt": "text",
  "covers/7.jpg": "cover",
  "covers/caf\u00e9 7.txt": "text",
  "covers/.thumbnails/7.jpg/small.jpg": "cover",
};
const base = "http://localhost:3000/storage/files";
const signed = (path: string) => ({
  url: expect.stringMatching(
    new RegExp(`^${base}/${path.replaceAll(".", "\\.")}\\?expires=\\d+&signature=[0-9a-f]{64}$`),
  ),
});

describe("a link", () => {
  fileScenarios(service, [
    { send: "GET /storage/url?path=a/b.jpg", as: "user", files, data: signed("a/b.jpg") },
    {
      send: `GET /storage/url?path=${encodeURIComponent("cafe\u0301/a b.txt")}`,
      as: "user",
      files,
      data: signed("caf%C3%A9/a%20b.txt"),
    },
    {
      name: "to a thumbnail",
      send: "GET /storage/url?path=a/.thumbnails/b.jpg/small.jpg&expires=60",
      as: "user",
      files,
      data: signed("a/.thumbnails/b.jpg/small.jpg"),
    },
    {
      name: "below a public prefix has no signature",
      send: "GET /storage/url?path=covers/7.jpg&expires=1",
      as: "user",
      files,
      data: { url: `${base}/covers/7.jpg` },
    },
    {
      name: "below a public prefix is percent-encoded",
      send: `GET /storage/url?path=${encodeURIComponent("covers/caf\u00e9 7.txt")}`,
      as: "user",
      files,
      data: { url: `${base}/covers/caf%C3%A9%207.txt` },
    },
    {
      name: "to a thumbnail of a public picture",
      send: "GET /storage/url?path=covers/.thumbnails/7.jpg/small.jpg",
      as: "user",
      files,
      data: { url: `${base}/covers/.thumbnails/7.jpg/small.jpg` },
    },
    { send: "GET /storage/url?path=a/c.jpg", as: "user", files, fails: "404 NOT_FOUND" },
    { send: "GET /storage/url?path=a", as: "user", files, fails: "404 NOT_FOUND" },
    { send: "GET /storage/url?path=covers/8.jpg", as: "user", files, fails: "404 NOT_FOUND" },
    {
      send: "GET /storage/url?path=a/.thumbnails/b.jpg/large.jpg",
      as: "user",
      files,
      fails: "404 NOT_FOUND",
    },
    ...["", "?path=", "?path=a/.thumbnails/b.jpg", "?path=../x", "?path=.uploads/x"].map((query) => ({
      send: `GET /storage/url${query}`,
      as: "user",
      files,
      fails: "400 VALIDATION_ERROR path",
    })),
    ...["0", "-1", "604801", "1.5", "1e3", "soon", "", "99999999999999999999", "0x10"].map((expires) => ({
      send: `GET /storage/url?path=a/b.jpg&expires=${expires}`,
      as: "user",
      files,
      fails: "400 VALIDATION_ERROR expires",
    })),
    { send: "GET /storage/url?path=a/b.jpg&ttl=5", as: "user", files, fails: "400 VALIDATION_ERROR ttl" },
    {
      name: "all that is wrong is told at once",
      send: "GET /storage/url?expires=0",
      as: "user",
      files,
      fails: "400 VALIDATION_ERROR path",
      details: { errors: [{ field: "path" }, { field: "expires" }] },
    },
  ]);
});

describe("how long it lasts", () => {
  test.each([
    ["", 3600],
    ["&expires=1", 1],
    ["&expires=604800", 604_800],
  ])("'%s'", async (parameter, seconds) => {
    const request = { send: `GET /storage/url?path=a/b.jpg${parameter}`, as: "user", files };
    const before = Math.floor(Date.now() / 1000);
    const { envelope } = await performWithFiles(service, request);
    const expires = Number(/expires=(\d+)/.exec(JSON.stringify(envelope.data))?.[1]);
    expect(expires - seconds).toBeGreaterThanOrEqual(before);
    expect(expires - seconds).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });
});

test("how long it lasts where nobody says so is a setting", async () => {
  const brief = await storageService({ urlTtlSeconds: 60 });
  await brief.place({ "a.txt": "a" });
  const upload = formOf(["path", "b.txt"], filePart("b"));
  const before = Math.floor(Date.now() / 1000);
  const replies = [
    await brief.send({ method: "GET", path: "/storage/url?path=a.txt" }, "user"),
    await brief.send({ method: "GET", path: "/storage/list" }, "user"),
    await brief.send({ method: "POST", path: "/storage/upload/file", ...upload }, "user"),
  ];
  for (const { text } of replies) {
    const expires = Number(/expires=(\d+)/.exec(text)?.[1]);
    expect(expires - 60).toBeGreaterThanOrEqual(before);
    expect(expires - 60).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  }
});

test("HEAD answers what GET does, without a body", async () => {
  await service.place(files);
  const reply = await service.send({ method: "HEAD", path: "/storage/url?path=a/b.jpg" }, "user");
  expect([reply.status, reply.text]).toEqual([200, ""]);
  expect(Number(reply.headers["content-length"])).toBeGreaterThan(100);
  const unknown = await service.send({ method: "HEAD", path: "/storage/url?path=x" }, "user");
  expect([unknown.status, unknown.text]).toEqual([404, ""]);
  const wrong = await service.send({ method: "POST", path: "/storage/url?path=a/b.jpg" }, "user");
  expect([wrong.status, wrong.headers["allow"]]).toEqual([405, "GET, HEAD"]);
});

describe("where public files are reached elsewhere", async () => {
  const cdn = await storageService({ publicPrefixes: ["covers/"], publicBaseUrl: "https://cdn.example/f" });
  fileScenarios(cdn, [
    {
      send: "GET /storage/url?path=covers/7.jpg",
      as: "user",
      files,
      data: { url: "https://cdn.example/f/covers/7.jpg" },
    },
    {
      name: "percent-encoded",
      send: `GET /storage/url?path=${encodeURIComponent("covers/caf\u00e9 7.txt")}`,
      as: "user",
      files,
      data: { url: "https://cdn.example/f/covers/caf%C3%A9%207.txt" },
    },
    { send: "GET /storage/url?path=a/b.jpg", as: "user", files, data: signed("a/b.jpg") },
  ]);
});

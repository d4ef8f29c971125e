import { describe, expect, test } from "vitest";
import { filePart, formOf } from "../../support/multipart.ts";
import type { Reply } from "../../support/request.ts";
import { endOf, fileScenarios, performWithFiles, publicLink, signedLink } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";

/** The first one. */
const linkIn = ({ text }: Reply) => /"url":"([^"]+)"/.exec(text)?.[1] ?? "";

function expectLasting(url: string, seconds: number, before: number): void {
  expect(endOf(url) - seconds).toBeGreaterThanOrEqual(before);
  expect(endOf(url) - seconds).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
}

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start({ publicPrefixes: ["covers/"] });
  const files = {
    "a/b.jpg": "picture",
    "a/.thumbnails/b.jpg/small.jpg": "small",
    "caf\u00e9/a b.txt": "text",
    "covers/7.jpg": "cover",
    "covers/caf\u00e9 7.txt": "text",
    "covers/.thumbnails/7.jpg/small.jpg": "cover",
  };
  const signed = (path: string) => ({ url: signedLink(service, path) });
  const open = (path: string) => ({ url: publicLink(service, path) });

  describe("a link", () => {
    // biome-ignore format: one case a line
    fileScenarios(service, [
      { send: "GET /storage/url?path=a/b.jpg", as: "user", files, data: signed("a/b.jpg") },
      { send: `GET /storage/url?path=${encodeURIComponent("cafe\u0301/a b.txt")}`, as: "user", files, data: signed("caf\u00e9/a b.txt") },
      { name: "to a thumbnail",
        send: "GET /storage/url?path=a/.thumbnails/b.jpg/small.jpg&expires=60",
        as: "user",
        files,
        data: signed("a/.thumbnails/b.jpg/small.jpg"),
      },
      { name: "below a public prefix has no signature",
        send: "GET /storage/url?path=covers/7.jpg&expires=1",
        as: "user",
        files,
        data: open("covers/7.jpg"),
      },
      { name: "below a public prefix is percent-encoded",
        send: `GET /storage/url?path=${encodeURIComponent("covers/caf\u00e9 7.txt")}`,
        as: "user",
        files,
        data: open("covers/caf\u00e9 7.txt"),
      },
      { name: "to a thumbnail of a public picture",
        send: "GET /storage/url?path=covers/.thumbnails/7.jpg/small.jpg",
        as: "user",
        files,
        data: open("covers/.thumbnails/7.jpg/small.jpg"),
      },
      { send: "GET /storage/url?path=a/c.jpg", as: "user", files, fails: "404 NOT_FOUND" },
      { send: "GET /storage/url?path=a", as: "user", files, fails: "404 NOT_FOUND" },
      { send: "GET /storage/url?path=covers/8.jpg", as: "user", files, fails: "404 NOT_FOUND" },
      { send: "GET /storage/url?path=a/.thumbnails/b.jpg/large.jpg", as: "user", files, fails: "404 NOT_FOUND" },
      ...["", "?path=", "?path=a/.thumbnails/b.jpg", "?path=../x", "?path=.uploads/x"].map((query) => ({ send: `GET /storage/url${query}`,
        as: "user",
        files,
        fails: "400 VALIDATION_ERROR path",
      })),
      ...["0", "-1", "604801", "1.5", "1e3", "soon", "", "99999999999999999999", "0x10"].map((expires) => ({ send: `GET /storage/url?path=a/b.jpg&expires=${expires}`,
        as: "user",
        files,
        fails: "400 VALIDATION_ERROR expires",
      })),
      { send: "GET /storage/url?path=a/b.jpg&ttl=5", as: "user", files, fails: "400 VALIDATION_ERROR ttl" },
      { name: "one response has all errors",
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
      expectLasting(linkIn(await performWithFiles(service, request)), seconds, before);
    });
  });

  test("a setting is the default duration", async () => {
    const brief = await start({ urlTtlSeconds: 60 });
    await brief.place({ "a.txt": "a" });
    const upload = formOf(["path", "b.txt"], filePart("b"));
    const before = Math.floor(Date.now() / 1000);
    const replies = [
      await brief.send({ method: "GET", path: "/storage/url?path=a.txt" }, "user"),
      await brief.send({ method: "GET", path: "/storage/list" }, "user"),
      await brief.send({ method: "POST", path: "/storage/upload/file", ...upload }, "user"),
    ];
    for (const reply of replies) expectLasting(linkIn(reply), 60, before);
  });

  test("is followed without a credential, to the file and to no other", async () => {
    await service.place(files);
    for (const [path, content] of Object.entries(files)) {
      const asked = { method: "GET", path: `/storage/url?path=${encodeURIComponent(path)}` };
      const url = linkIn(await service.send(asked, "user"));
      expect(await service.follow(url)).toMatchObject({ status: 200, text: content });
      const other = await service.follow(
        url.replace(publicLink(service, path), publicLink(service, "a/c.jpg")),
      );
      expect(other.status).toBe(403);
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
    const cdn = await start({ publicPrefixes: ["covers/"], publicBaseUrl: "https://cdn.example/f" });
    // biome-ignore format: one case a line
    fileScenarios(cdn, [
      { send: "GET /storage/url?path=covers/7.jpg", as: "user", files, data: { url: "https://cdn.example/f/covers/7.jpg" } },
      { name: "percent-encoded",
        send: `GET /storage/url?path=${encodeURIComponent("covers/caf\u00e9 7.txt")}`,
        as: "user",
        files,
        data: { url: "https://cdn.example/f/covers/caf%C3%A9%207.txt" },
      },
      { send: "GET /storage/url?path=a/b.jpg", as: "user", files, data: { url: signedLink(cdn, "a/b.jpg") } },
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { fileScenarios, performWithFiles, publicLink, signedLink } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start({ publicPrefixes: ["covers/"] });

  const files = {
    "B.txt": "1",
    "a b.txt": "22",
    "a/.thumbnails/b.jpg/small.jpg": "small",
    "a/b.jpg": "333",
    "a/c/d.txt": "4444",
    "ab.txt": "55555",
    "covers/7.jpg": "666666",
    "\u00e9.txt": "7777777",
    "\u{10400}.txt": "88888888",
    // What has no key.
    "a/.hidden": "x",
    "a/st*r.txt": "x",
    ".dot/x.txt": "x",
  };
  /** By UTF-8 bytes: a blank comes before a slash, and that before letters. */
  // biome-ignore format: many on a line
  const all = [
    "B.txt", "a b.txt", "a/b.jpg", "a/c/d.txt", "ab.txt", "covers/7.jpg", "\u00e9.txt", "\u{10400}.txt",
  ];
  const listed = (paths: readonly string[], next?: string) => ({
    files: paths.map((path) => ({ path, size: expect.any(Number), url: expect.any(String) })),
    ...(next !== undefined && { next }),
  });
  const list = (query: string, paths: readonly string[], next?: string) => ({
    send: `GET /storage/list${query}`,
    as: "user",
    files,
    data: listed(paths, next),
  });

  describe("pages", () => {
    // biome-ignore format: one case a line
    fileScenarios(service, [
      list("", all),
      list("?prefix=", all),
      list("?prefix=a", ["a b.txt", "a/b.jpg", "a/c/d.txt", "ab.txt"]),
      list("?prefix=a/", ["a/b.jpg", "a/c/d.txt"]),
      list("?prefix=a/c", ["a/c/d.txt"]),
      list("?prefix=a/b.jpg", ["a/b.jpg"]),
      list("?prefix=a+", ["a b.txt"]),
      list(`?prefix=${encodeURIComponent("e\u0301")}`, ["\u00e9.txt"]),
      list("?prefix=nothing/", []),
      list("?limit=3", all.slice(0, 3), all[2]),
      list(`?limit=3&after=${encodeURIComponent("a/b.jpg")}`, all.slice(3, 6), all[5]),
      list("?limit=2&after=covers/7.jpg", all.slice(6)),
      list("?limit=8", all),
      list("?limit=5000", all),
      list("?prefix=a/&limit=1", ["a/b.jpg"], "a/b.jpg"),
      list("?prefix=a/&limit=1&after=a/b.jpg", ["a/c/d.txt"]),
      list("?prefix=a/&limit=1&after=Z", ["a/b.jpg"], "a/b.jpg"),
      list("?prefix=a/&after=a%20b.txt", ["a/b.jpg", "a/c/d.txt"]),
      list("?prefix=a/&after=b", []),
      list("?after=a/bb", all.slice(3)),
      list("?after=zzz", ["\u00e9.txt", "\u{10400}.txt"]),
      ...["/a", "a//", "../", "a/.thumbnails/", ".", "a*", "a%07"].flatMap((text) =>
        ["prefix", "after"].map((field) => ({ send: `GET /storage/list?${field}=${text}`,
          as: "user",
          files,
          fails: `400 VALIDATION_ERROR ${field}`,
        })),
      ),
      ...["0", "-1", "x", "1.5", ""].map((limit) => ({ send: `GET /storage/list?limit=${limit}`,
        as: "user",
        files,
        fails: "400 VALIDATION_ERROR limit",
      })),
      { send: "GET /storage/list?path=a/", as: "user", files, fails: "400 VALIDATION_ERROR path" },
      { send: "GET /storage/list?after=", as: "user", files, fails: "400 VALIDATION_ERROR after" },
    ]);
  });

  test("size and link of each", async () => {
    const { envelope } = await performWithFiles(service, { send: "GET /storage/list", as: "user", files });
    expect(envelope.data).toMatchObject({
      files: expect.arrayContaining([
        { path: "a b.txt", size: 2, url: signedLink(service, "a b.txt") },
        { path: "covers/7.jpg", size: 6, url: publicLink(service, "covers/7.jpg") },
      ]),
    });
  });

  test("a thousand at most, and the rest behind `next`", async () => {
    const names = Array.from({ length: 1003 }, (_, index) => `n/${String(index).padStart(4, "0")}`);
    const many = Object.fromEntries(names.map((name) => [name, ""]));
    const pages = [
      { send: "GET /storage/list", data: listed(names.slice(0, 1000), "n/0999") },
      { send: "GET /storage/list?after=n/0999&limit=3", data: listed(names.slice(1000)) },
    ];
    for (const page of pages) await performWithFiles(service, { ...page, as: "user", files: many });
  }, 30_000);

  test("HEAD answers what GET does, without a body", async () => {
    await service.place(files);
    const reply = await service.send({ method: "HEAD", path: "/storage/list" }, "user");
    expect([reply.status, reply.text]).toEqual([200, ""]);
  });

  test("nothing was ever stored", () =>
    performWithFiles(service, { send: "GET /storage/list", as: "user", data: { files: [] } }));
});

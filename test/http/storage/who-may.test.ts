import { describe, expect, test } from "vitest";
import { storageRoutes } from "#vocabulary/built-in-routes";
import { account, accounts, apiKey } from "../../support/accounts.ts";
import { outcome } from "../../support/scenarios.ts";
import { claimsOf, signed, tokenOf } from "../../support/service-token.ts";
import { fileScenarios, signedLink } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start({}, { auth: { cookieName: "session" } });
  const routes = storageRoutes.map(({ method, path }) => `${method} /storage${path}`);
  const files = { "a.txt": "hello" };

  describe("a credential is needed", () => {
    const expired = signed({ ...claimsOf("user"), exp: 1 });
    test.each<[string, Record<string, string>, string]>([
      ["none", {}, "401 MISSING_TOKEN"],
      ["none of an allowed origin", { origin: "https://shop.example" }, "401 MISSING_TOKEN"],
      ["a broken token", { authorization: "Bearer x" }, "401 INVALID_TOKEN"],
      ["an expired token", { authorization: `Bearer ${expired}` }, "401 TOKEN_EXPIRED"],
      ["another scheme", { authorization: "Basic YTpi" }, "401 INVALID_TOKEN"],
      ["a broken cookie", { cookie: "session=x" }, "401 INVALID_TOKEN"],
      ["a cookie of another name", { cookie: `other=${tokenOf("user")}` }, "401 MISSING_TOKEN"],
      ["an unknown API key", { "x-api-key": "kk_x" }, "401 INVALID_API_KEY"],
      ["an empty API key", { "x-api-key": "" }, "401 INVALID_API_KEY"],
    ])("%s", async (_, headers, expected) => {
      await service.place(files);
      for (const route of routes) {
        const [method = "", path = ""] = route.split(" ");
        const reply = await service.send({ method, path: `${path}?path=a.txt`, headers });
        expect([route, outcome(reply)]).toEqual([route, expected]);
        expect(reply.headers["cache-control"]).toBe("no-store");
      }
      expect(await service.files()).toEqual(files);
    });

    const mine = apiKey(1);
    const given = accounts([account(1)], [mine.row]);
    const wanted = { given, send: "GET /storage/list", files, data: { files: [expect.anything()] } };
    // biome-ignore format: one case a line
    fileScenarios(service, [
      { ...wanted, name: "a Bearer access token", headers: { authorization: `Bearer ${tokenOf("user")}` } },
      { ...wanted, name: "a cookie that holds one", headers: { cookie: `session=${tokenOf("user")}` } },
      { ...wanted, name: "an API key", headers: { "x-api-key": mine.key } },
      { ...wanted, name: "an API key as a Bearer value", headers: { authorization: `Bearer ${mine.key}` } },
      { ...wanted, name: "a credential in the query is ignored", send: `GET /storage/list?token=${tokenOf("user")}`, data: undefined,
        fails: "401 MISSING_TOKEN" },
    ]);
  });

  describe("paths", () => {
    // biome-ignore format: many on a line
    test.each([
      "/storage", "/storage/", "/storage/nothing", "/storage/list/", "/storage/LIST", "/storage//list", "/Storage/list",
    ])("%s is no route", async (path) => {
      expect((await service.send({ method: "GET", path }, "user")).status).toBe(404);
    });

    test("a slug in the way of a model", async () => {
      const started = start({ slug: "THINGS" });
      await expect(started).rejects.toThrow('storage.slug "THINGS" conflicts with the model things');
    });

    test("a slug of its own, to which links lead where the service serves them", async () => {
      const other = await start({ slug: "media" });
      await other.place(files);
      const { envelope } = await other.send({ method: "GET", path: "/media/url?path=a.txt" }, "user");
      expect(envelope.data).toEqual({ url: signedLink(other, "a.txt") });
      expect((await other.send({ method: "GET", path: "/media/list" }, "user")).status).toBe(200);
      expect((await other.send({ method: "GET", path: "/storage/list" }, "user")).status).toBe(404);
    });

    test("the prefix of models does not hold for them", async () => {
      const other = await start({}, { servicePrefix: "/api" });
      expect((await other.send({ method: "GET", path: "/storage/list" }, "user")).status).toBe(200);
      expect((await other.send({ method: "GET", path: "/api/storage/list" }, "user")).status).toBe(404);
    });
  });

  const own = { "users/7/a.jpg": "mine", "users/7/.thumbnails/a.jpg/small.jpg": "mine too" };
  const foreign = {
    "a.txt": "of all",
    "users/70/a.jpg": "another user's",
    "users/70/.thumbnails/a.jpg/small.jpg": "another user's",
    "users/8.txt": "x",
  };
  const all = { ...own, ...foreign };
  const pathsOf = (paths: readonly string[]) => ({
    files: paths.map((path) => expect.objectContaining({ path })),
  });
  const everything = ["a.txt", "users/7/a.jpg", "users/70/a.jpg", "users/8.txt"];

  describe("scope: shared", () => {
    // biome-ignore format: one case a line
    fileScenarios(service, [
      { send: "GET /storage/list", as: { role: "user", sub: "7" }, files: all, data: pathsOf(everything) },
      { send: "DELETE /storage/delete?path=users/70/a.jpg", as: { role: "user", sub: "7" }, files: { "users/70/a.jpg": "x" }, leaves: {} },
    ]);
  });

  describe("scope: user", async () => {
    const scoped = await start({ scope: "user" });
    const user = { role: "user", sub: "7" };
    const refused = "403 PERMISSION_DENIED";
    const asking = (send: string, fails?: string) => ({
      send,
      as: user,
      files: all,
      ...(fails !== undefined && { fails }),
    });
    describe("a user reaches what is below users/<id>/", () => {
      // biome-ignore format: one case a line
      fileScenarios(scoped, [
        { ...asking("GET /storage/list"), data: pathsOf(["users/7/a.jpg"]) },
        { ...asking("GET /storage/list?prefix="), data: pathsOf(["users/7/a.jpg"]) },
        { ...asking("GET /storage/list?prefix=users/7/"), data: pathsOf(["users/7/a.jpg"]) },
        { ...asking("GET /storage/list?prefix=users/7/b"), data: pathsOf([]) },
        { ...asking("GET /storage/list?after=users/70/a.jpg"), data: pathsOf([]) },
        asking("GET /storage/url?path=users/7/a.jpg"),
        asking("GET /storage/url?path=users/7/.thumbnails/a.jpg/small.jpg"),
        {...asking("DELETE /storage/delete?path=users/7/a.jpg&with_thumbnails=true"), leaves: foreign },
      ]);
    });

    describe("and nothing else, whether it is there or not", () => {
      // biome-ignore format: many on a line
      fileScenarios(
        scoped,
        [
          "GET /storage/list?prefix=users/7", "GET /storage/list?prefix=users/", "GET /storage/list?prefix=users/70/",
          "GET /storage/list?prefix=a", "GET /storage/url?path=a.txt", "GET /storage/url?path=users/70/a.jpg",
          "GET /storage/url?path=users/70/none.jpg", "GET /storage/url?path=users/70/.thumbnails/a.jpg/small.jpg",
          "GET /storage/url?path=users/.thumbnails/7/small.jpg", "GET /storage/url?path=users/7",
          "GET /storage/url?path=Users/7/a.jpg", "DELETE /storage/delete?path=a.txt",
          "DELETE /storage/delete?path=users/70/a.jpg", "DELETE /storage/delete?path=users/70/none.jpg",
        ].map((send) => asking(send, refused)),
      );
    });

    describe("what is no key is 400 first", () => {
      fileScenarios(scoped, [
        asking("GET /storage/list?prefix=/users/70", "400 VALIDATION_ERROR prefix"),
        asking("GET /storage/url?path=users/7/../70/a.jpg", "400 VALIDATION_ERROR path"),
        asking("DELETE /storage/delete?path=users/7/../70/a.jpg", "400 VALIDATION_ERROR path"),
      ]);
    });

    describe.each(["admin", "system", "superadmin"])("%s reaches all", (role) => {
      fileScenarios(scoped, [
        { send: "GET /storage/list", as: { role, sub: "7" }, files: all, data: pathsOf(everything) },
        { send: "GET /storage/url?path=a.txt", as: { role, sub: "7" }, files: all },
      ]);
    });

    // Tokens can come from another issuer with the same secret.
    // biome-ignore format: many on a line
    const noFolders = [
      "..", ".", "a/b", "70/../7", "../7", "7/..", "7/", "/7", ".7", "*", "7\n", "7\0", "e\u0301", "a\u202eb", "%2e",
    ];
    test.each(noFolders)("an id that is no folder reaches nothing: %j", async (sub) => {
      await scoped.place(all);
      for (const send of ["list", "list?prefix=users/7/", "url?path=users/7/a.jpg", "url?path=a.txt"])
        expect(
          outcome(await scoped.send({ method: "GET", path: `/storage/${send}` }, { role: "user", sub })),
        ).toBe(refused);
    });
  });
});

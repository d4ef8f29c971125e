import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { filePart, formOf } from "../../support/multipart.ts";
import { pictureFile } from "../../support/pictures.ts";
import { fileScenarios, publicLink, signedLink, storageService } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start({ publicPrefixes: ["covers/"] });
  const scoped = await start({ scope: "user" });
  const images = await start({ allowedMediaTypes: ["text/plain", "text/csv"] });
  const send = "POST /storage/move";

  const note = { "a/note.txt": "note" };
  const other = { "b/other.txt": "other" };
  const picture = {
    "a/b.jpg": "picture",
    "a/.thumbnails/b.jpg/large.jpg": "large",
    "a/.thumbnails/b.jpg/small.jpg": "small",
    "a/.thumbnails/c.jpg/small.jpg": "of another picture",
  };
  const moved = (path: string, size: number) => ({
    path,
    url: signedLink(service, path),
    filename: path.slice(path.lastIndexOf("/") + 1),
    size,
    mime_type: expect.any(String),
  });
  const move = (from: Json | undefined, to: Json | undefined, more: Record<string, Json> = {}) => ({
    send,
    as: "user",
    body: { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...more },
  });

  // biome-ignore format: one case a line
  fileScenarios(service, [
    { ...move("a/note.txt", "c/d/e.txt"), files: { ...note, ...other }, data: moved("c/d/e.txt", 4), leaves: { "c/d/e.txt": "note", ...other } },
    { ...move("a/note.txt", "covers/e.txt"), files: note, data: { ...moved("covers/e.txt", 4), url: publicLink(service, "covers/e.txt") },
      leaves: { "covers/e.txt": "note" } },
    { name: "thumbnails move with their picture", ...move("a/b.jpg", "c.png"), files: picture,
      leaves: { "c.png": "picture", ".thumbnails/c.png/large.jpg": "large", ".thumbnails/c.png/small.jpg": "small",
        "a/.thumbnails/c.jpg/small.jpg": "of another picture" } },
    { name: "old thumbnails of the new path go", ...move("a/note.txt", "a/b.jpg"), files: { ...note, "a/.thumbnails/b.jpg/small.jpg": "old" },
      leaves: { "a/b.jpg": "note" } },
    { name: "a taken path", ...move("a/note.txt", "b/other.txt"), files: { ...note, ...other }, fails: "409 HTTP_ERROR" },
    { name: "a taken path, and overwrite: false", ...move("a/note.txt", "b/other.txt", { overwrite: false }), files: { ...note, ...other }, fails: "409 HTTP_ERROR" },
    { name: "a taken path, and overwrite: true", ...move("a/note.txt", "a/b.jpg", { overwrite: true }), files: { ...note, ...picture },
      data: moved("a/b.jpg", 4), leaves: { "a/b.jpg": "note", "a/.thumbnails/c.jpg/small.jpg": "of another picture" } },
    { name: "a path in any form is answered in NFC", ...move("a/note.txt", "cafe\u0301.txt"), files: note, data: moved("caf\u00e9.txt", 4),
      leaves: { "caf\u00e9.txt": "note" } },
    { ...move("a/none.txt", "b/c.txt"), files: note, fails: "404 NOT_FOUND" },
    { ...move("a", "b"), files: note, fails: "404 NOT_FOUND" },
    { ...move(undefined, "b"), files: note, fails: "400 VALIDATION_ERROR from" },
    { ...move("a/note.txt", undefined), files: note, fails: "400 VALIDATION_ERROR to" },
    { ...move("a/note.txt", "a/note.txt", { overwrite: true }), files: note, fails: "400 VALIDATION_ERROR to" },
    { ...move("a/note.txt", "b.txt", { overwrite: "true" }), files: note, fails: "400 VALIDATION_ERROR overwrite" },
    { ...move("a/note.txt", "b.txt", { recursive: true }), files: note, fails: "400 VALIDATION_ERROR recursive" },
    ...["", "/", "a/", "../b.txt", "a//b", "a/../b", ".uploads/x", "a/.thumbnails/b.jpg/x.jpg", "a\u202eb", 1, null, ["a"]].flatMap((path) => [
      { ...move(path, "b.txt"), files: { ...note, ...picture }, fails: "400 VALIDATION_ERROR from" },
      { ...move("a/note.txt", path), files: { ...note, ...picture }, fails: "400 VALIDATION_ERROR to" },
    ]),
    { send: `${send}?from=a`, as: "user", body: { from: "a/note.txt", to: "b" }, files: note, fails: "400 VALIDATION_ERROR from" },
    { send, as: "user", files: note, fails: "400 VALIDATION_ERROR from" },
    { send, body: { from: "a/note.txt", to: "b" }, files: note, fails: "401 MISSING_TOKEN" },
    { send, as: "user", body: { from: "a/note.txt", to: "b" }, headers: { "content-type": "text/plain" }, files: note, fails: "415 HTTP_ERROR" },
    { send, as: "user", body: { from: "a/note.txt", to: "x".repeat(20_000) }, files: note, fails: "413 HTTP_ERROR" },
  ]);

  const user = { role: "user", sub: "7" };
  const files = { "users/7/a.txt": "mine", "users/70/a.txt": "theirs", "b.txt": "all" };
  const refused = (from: string, to: string) => ({
    ...move(from, to),
    as: user,
    files,
    fails: "403 PERMISSION_DENIED",
  });
  // biome-ignore format: one case a line
  fileScenarios(scoped, [
    { ...move("users/7/a.txt", "users/7/b.txt"), as: user, files, leaves: { "users/7/b.txt": "mine", "users/70/a.txt": "theirs", "b.txt": "all" } },
    refused("users/7/a.txt", "c.txt"), refused("users/7/a.txt", "users/70/b.txt"), refused("b.txt", "users/7/b.txt"),
    refused("users/70/a.txt", "users/7/b.txt"), refused("users/70/none.txt", "users/7/b.txt"),
    { ...move("users/70/a.txt", "c.txt"), as: "admin", files, leaves: { "users/7/a.txt": "mine", "c.txt": "theirs", "b.txt": "all" } },
  ]);

  describe("the type of a text follows its new name", () => {
    const upload = async (to: typeof service) => {
      await to.place({});
      const form = formOf(["path", "a.txt"], filePart("a,b", "a.txt"));
      expect((await to.send({ method: "POST", path: "/storage/upload/file", ...form }, "user")).status).toBe(
        200,
      );
    };
    const ask = (to: string, of: typeof service) =>
      of.send({ method: "POST", path: "/storage/move", body: { from: "a.txt", to } }, "user");

    test("as after an upload", async () => {
      await upload(service);
      const { envelope } = await ask("a.csv", service);
      expect(envelope.data).toMatchObject({ mime_type: "text/csv" });
      const { url } = envelope.data as { url: string };
      expect((await service.follow(url)).headers["content-type"]).toBe("text/csv; charset=utf-8");
    });

    test("and must be allowed", async () => {
      await upload(images);
      expect((await ask("a.html", images)).status).toBe(415);
      expect(await images.files()).toEqual({ "a.txt": "a,b" });
      expect((await ask("a.csv", images)).status).toBe(200);
    });
  });
});

test("a picture with its thumbnails stays one", async () => {
  const service = await storageService();
  const form = formOf(
    ["path", "a.png"],
    ["thumbnails", "true"],
    filePart(await pictureFile("png", 40, 30), "a.png"),
  );
  await service.send({ method: "POST", path: "/storage/upload/image", ...form }, "user");
  const body = { from: "a.png", to: "b.png" };
  await service.send({ method: "POST", path: "/storage/move", body }, "user");
  expect(Object.keys(await service.files())).toEqual([".thumbnails/b.png/small.png", "b.png"]);
});

test("on disk, a folder with files and a path through a file are taken", async () => {
  const service = await storageService();
  await service.place({ "a/b.txt": "1", "c.txt": "2" });
  for (const [from, to] of [
    ["c.txt", "a"],
    ["a/b.txt", "a"],
    ["a/b.txt", "c.txt/d"],
    ["c.txt", "c.txt/d"],
  ] as const)
    for (const overwrite of [false, true]) {
      const reply = await service.send(
        { method: "POST", path: "/storage/move", body: { from, to, overwrite } },
        "user",
      );
      expect([from, to, reply.status]).toEqual([from, to, 409]);
    }
  expect(await service.files()).toEqual({ "a/b.txt": "1", "c.txt": "2" });
});

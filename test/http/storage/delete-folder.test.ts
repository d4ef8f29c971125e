import { promises as disk } from "node:fs";
import { describe, expect, test } from "vitest";
import { fileScenarios, storageService } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";
import { replaceOnDisk, systemError } from "../../support/stores.ts";

const folder = {
  "a/b.jpg": "picture",
  "a/.thumbnails/b.jpg/large.jpg": "large",
  "a/.thumbnails/b.jpg/small.jpg": "small",
  "a/.thumbnails/gone.jpg/small.jpg": "of a deleted picture",
  "a/c/ d.txt": "note",
  "a/c/.thumbnails/e.jpg/small.jpg": "of another deleted picture",
};
const others = { "a b.txt": "x", "a.txt": "x", "ab/c.txt": "x", ".thumbnails/a/small.jpg": "x" };
const invisible = { "a/.hidden/b.txt": "no key", "a/st*r.txt": "no key" };
const done = (path: string, deleted: number) => ({ path, deleted, failed: [], more: false });

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start();
  const scoped = await start({ scope: "user" });
  const deletion = (prefix: string) => ({
    method: "DELETE",
    path: `/storage/delete?prefix=${encodeURIComponent(prefix)}`,
  });

  // biome-ignore format: one case a line
  fileScenarios(service, [
    { name: "all of a folder, with thumbnails whose pictures are gone, and nothing next to it",
      send: "DELETE /storage/delete?prefix=a/", as: "user", files: { ...folder, ...others }, data: done("a/", 2), leaves: others },
    { name: "a folder of a folder", send: "DELETE /storage/delete?prefix=a/c/", as: "user", files: { "a/c/d.txt": "x", "a/e.txt": "x" },
      data: done("a/c/", 1), leaves: { "a/e.txt": "x" } },
    { name: "files that no list shows stay", send: "DELETE /storage/delete?prefix=a/", as: "user", files: { ...folder, ...invisible },
      data: done("a/", 2), leaves: invisible },
    { name: "a folder that does not exist", send: "DELETE /storage/delete?prefix=none/", as: "user", files: others, data: done("none/", 0) },
    { name: "a file of the same name", send: "DELETE /storage/delete?prefix=a.txt/", as: "user", files: others, data: done("a.txt/", 0) },
    { name: "a name in any form is answered in NFC", send: `DELETE /storage/delete?prefix=${encodeURIComponent("cafe\u0301/")}`, as: "user",
      files: { "caf\u00e9/a.txt": "x" }, data: done("caf\u00e9/", 1), leaves: {} },
    ...["", "a", "/", "/a/", "a//", "../", "a/../", "a/.thumbnails/", ".uploads/", "a*/"].map((prefix) => ({
      send: `DELETE /storage/delete?prefix=${prefix}`, as: "admin", files: folder, fails: "400 VALIDATION_ERROR prefix" })),
    { send: "DELETE /storage/delete?prefix=a/&path=a/b.jpg", as: "user", files: folder, fails: "400 VALIDATION_ERROR path" },
    { send: "DELETE /storage/delete?prefix=a/&with_thumbnails=true", as: "user", files: folder, fails: "400 VALIDATION_ERROR with_thumbnails" },
    { send: "DELETE /storage/delete?prefix=a/&prefix=b/", as: "user", files: folder, fails: "400 VALIDATION_ERROR prefix" },
    { send: "DELETE /storage/delete?prefix=a/", files: folder, fails: "401 MISSING_TOKEN" },
  ]);

  const user = { role: "user", sub: "7" };
  const all = { "users/7/a.txt": "x", "users/7/b/c.txt": "x", "users/70/a.txt": "x", "a.txt": "x" };
  // biome-ignore format: one case a line
  fileScenarios(scoped, [
    { name: "users can delete all of their files", send: "DELETE /storage/delete?prefix=users/7/", as: user, files: all,
      data: done("users/7/", 2), leaves: { "users/70/a.txt": "x", "a.txt": "x" } },
    ...["users/", "users/70/", "a/", "users/7a/"].map((prefix) => ({
      send: `DELETE /storage/delete?prefix=${prefix}`, as: user, files: all, fails: "403 PERMISSION_DENIED" })),
    { name: "administrators can delete folders of others", send: "DELETE /storage/delete?prefix=users/", as: "admin", files: all,
      data: done("users/", 3), leaves: { "a.txt": "x" } },
  ]);

  test("a request deletes at most 1,000 files, thumbnails included; the next request goes on", async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `f/${String(index).padStart(4, "0")}`);
    const thumbnails = ["f/.thumbnails/0000/small.jpg", "f/.thumbnails/0001/small.jpg"];
    await service.place(Object.fromEntries([...names, ...thumbnails].map((name) => [name, ""])));
    const reports = [];
    for (let left = 3; left > 0; left--)
      reports.push((await service.send(deletion("f/"), "user")).envelope.data);
    expect(reports).toEqual([
      { path: "f/", deleted: 998, failed: [], more: true },
      done("f/", 3),
      done("f/", 0),
    ]);
    expect(await service.files()).toEqual({});
  });

  test("two requests delete each file once", async () => {
    await service.place(folder);
    const replies = await Promise.all([1, 2].map(() => service.send(deletion("a/"), "user")));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await service.files()).toEqual({});
  });
});

describe("files that cannot be deleted", async () => {
  const service = await storageService();
  const { unlink } = disk;
  const refuse = (names: readonly string[]) =>
    replaceOnDisk({
      unlink: (path) =>
        names.some((name) => String(path).endsWith(name))
          ? Promise.reject(systemError("EPERM"))
          : unlink(path),
    });
  const ask = () => service.send({ method: "DELETE", path: "/storage/delete?prefix=a/" }, "user");
  const files = { "a/1.txt": "x", "a/2.txt": "x", "a/3.txt": "x" };

  test("are reported, and the others are deleted", async () => {
    await service.place(files);
    refuse(["/2.txt"]);
    const { status, envelope } = await ask();
    expect([status, envelope.data]).toEqual([
      200,
      { path: "a/", deleted: 2, failed: [{ path: "a/2.txt" }], more: false },
    ]);
    expect(await service.files()).toEqual({ "a/2.txt": "x" });
  });

  test("give 500 if no file can be deleted, so that no client repeats forever", async () => {
    await service.place(files);
    refuse(["/1.txt", "/2.txt", "/3.txt"]);
    const { status, envelope } = await ask();
    expect([status, envelope.error]).toEqual([500, "STORAGE_ERROR"]);
    expect(await service.files()).toEqual(files);
  });
});

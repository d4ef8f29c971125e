import { describe, expect, test } from "vitest";
import { fileScenarios, performWithFiles } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start();

  const note = { "a/note.txt": "note" };
  const picture = { "a/b.jpg": "picture" };
  const thumbnails = { "a/.thumbnails/b.jpg/large.jpg": "large", "a/.thumbnails/b.jpg/small.jpg": "small" };
  const other = { "a/.thumbnails/c.jpg/small.jpg": "of another one", "a/c.jpg": "another one" };

  describe("one file", () => {
    // biome-ignore format: one case a line
    fileScenarios(service, [
      { send: "DELETE /storage/delete?path=a/note.txt", as: "user", files: { ...note, ...other }, data: { path: "a/note.txt" }, leaves: other },
      { name: "its thumbnails stay, unless they are asked for",
        send: "DELETE /storage/delete?path=a/b.jpg&with_thumbnails=false",
        as: "user",
        files: { ...picture, ...thumbnails },
        data: { path: "a/b.jpg" },
        leaves: thumbnails,
      },
      { name: "with its thumbnails, and no other's",
        send: "DELETE /storage/delete?path=a/b.jpg&with_thumbnails=true",
        as: "user",
        files: { ...picture, ...thumbnails, ...other },
        data: { path: "a/b.jpg" },
        leaves: other,
      },
      { name: "with thumbnails that it does not have",
        send: "DELETE /storage/delete?path=a/note.txt&with_thumbnails=true",
        as: "user",
        files: note,
        leaves: {},
      },
      { name: "a key in any form is answered in NFC",
        send: `DELETE /storage/delete?path=${encodeURIComponent("cafe\u0301.txt")}`,
        as: "user",
        files: { "caf\u00e9.txt": "x" },
        data: { path: "caf\u00e9.txt" },
        leaves: {},
      },
    ]);
  });

  describe("what there is not", () => {
    // biome-ignore format: one case a line
    fileScenarios(service, [
      { send: "DELETE /storage/delete?path=a/other.txt", as: "user", files: note, fails: "404 NOT_FOUND" },
      { send: "DELETE /storage/delete?path=a", as: "user", files: note, fails: "404 NOT_FOUND" },
      { send: "DELETE /storage/delete?path=a/note.txt/b", as: "user", files: note, fails: "404 NOT_FOUND" },
      { name: "thumbnails whose original has gone before are removed all the same",
        send: "DELETE /storage/delete?path=a/b.jpg&with_thumbnails=true", as: "user", files: { ...thumbnails, ...other }, fails: "404 NOT_FOUND",
        leaves: other },
    ]);
  });

  describe("what is refused", () => {
    const refused = (query: string, field: string) => ({
      send: `DELETE /storage/delete${query}`,
      as: "user",
      files: { ...picture, ...thumbnails, ...note },
      fails: `400 VALIDATION_ERROR ${field}`,
    });
    // biome-ignore format: many on a line
    fileScenarios(
      service,
      [
        refused("", "path"), refused("?path=", "path"), refused("?path", "path"), refused("?path=/a/note.txt", "path"),
        refused("?path=a//note.txt", "path"), refused("?path=a/../a/note.txt", "path"), refused("?path=a/./note.txt", "path"),
        refused("?path=a/note.txt/", "path"), refused("?path=a%2Fnote.txt%00", "path"),
        refused("?path=a/note%E2%80%AE.txt", "path"), refused("?path=.uploads/x", "path"),
        refused("?path=a/.thumbnails/b.jpg", "path"), refused("?path=a/.thumbnails/b.jpg/small.jpg", "path"),
        refused("?path=a/.thumbnails/b.jpg/small.jpg&with_thumbnails=true", "path"),
        refused("?path=a/note.txt&with_thumbnails=1", "with_thumbnails"),
        refused("?path=a/note.txt&with_thumbnails=TRUE", "with_thumbnails"),
        refused("?path=a/note.txt&with_thumbnails=", "with_thumbnails"), refused("?path=a/note.txt&path=a/b.jpg", "path"),
        refused("?path=a/note.txt&recursive=true", "recursive"),
      ].map((one) => (one.send.includes("%00") ? { ...one, fails: "400 VALIDATION_ERROR" } : one)),
    );

    test.each(["GET", "POST", "PUT", "HEAD"])("%s is no way to delete", async (method) => {
      const reply = await service.send({ method, path: "/storage/delete?path=a/note.txt" }, "user");
      expect([reply.status, reply.headers["allow"]]).toEqual([405, "DELETE"]);
    });
  });

  test("two who delete one file: one of them finds it", async () => {
    await service.place(note);
    const request = { method: "DELETE", path: "/storage/delete?path=a/note.txt" };
    const replies = await Promise.all([service.send(request, "user"), service.send(request, "user")]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test("the response forbids caching", async () => {
    const reply = await performWithFiles(service, {
      send: "DELETE /storage/delete?path=a/note.txt",
      as: "user",
      files: note,
      leaves: {},
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
  });
});

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import type { HookContext, MutationContext } from "#runtime/hooks/index";
import { ServiceError } from "#runtime/index";
import { account, accounts, password } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { performGraphql } from "../../support/graphql.ts";
import { filePart, formOf } from "../../support/multipart.ts";
import { record, rows, run } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { type FileScenario, fileScenarios, performWithFiles, storageService } from "../../support/storage.ts";
import { storageInS3 } from "../../support/storage-providers.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

/** What lies where files are kept, and what links to it look like. */
// biome-ignore format: one case a line
const providers = [
  { name: "a disk", start: storageService, address: "^http://localhost:3000/storage/files/", signature: "\\?expires=\\d+&signature=[0-9a-f]+$",
    expiresFrom: () => Date.now() / 1000 },
  { name: "S3", start: storageInS3, address: "^http://[^/]+/[^/]+/", signature: "\\?X-Amz-.*&X-Amz-Signature=[0-9a-f]+", expiresFrom: () => 0 },
];

const refusal = () => new ServiceError("PERMISSION_DENIED", "Not now.");
const refused = { fails: "403 PERMISSION_DENIED" };
const picture = { "a/b.jpg": "old" };
const thumbnails = { "a/.thumbnails/b.jpg/small.jpg": "small" };

/** A create whose hook does this with files. */
function creating(
  name: string,
  before_create: (files: HookContext["storage"], context: MutationContext) => Promise<unknown>,
  rest: Partial<FileScenario> = {},
): FileScenario {
  const plays: StagedHooks = {
    before_create: async (_, context) => void (await before_create(context.storage, context)),
  };
  return { ...run("POST create", { data: record }), name, plays, ...rest };
}

function failing(): Readable {
  return Readable.from(
    (async function* () {
      yield "a part";
      throw new Error("the source is gone");
    })(),
  );
}

describe.each(providers)("on $name", async ({ start, address, signature, expiresFrom }) => {
  const service = await start({
    publicPrefixes: ["covers/"],
    scope: "user",
    // These limits apply to callers, not to hooks.
    allowedMediaTypes: ["image/png"],
    maxFileSizeBytes: 3,
  });
  const publicLink = (path: string) => expect.stringMatching(`${address}${path}$`);
  const signedLink = (path: string) => expect.stringMatching(`${address}${path}${signature}`);

  describe("put", () => {
    let stored: Promise<unknown>;
    // biome-ignore format: one case a line
    fileScenarios(service, [
      creating(
        "a type that callers cannot upload",
        async (files) => {
          expect(await files.put("a/note.md", "# Hello")).toEqual({ url: signedLink("a/note.md"),
            filename: "note.md",
            size: 7,
            mime_type: "text/markdown",
          });
        },
        { leaves: { "a/note.md": "# Hello" } },
      ),
      creating("bytes", (files) => files.put("covers/7.bin", new Uint8Array([104, 105])), { leaves: { "covers/7.bin": "hi" } }),
      creating("a stream", (files) => files.put("a.txt", Readable.from(["he", Buffer.from("llo")])), { leaves: { "a.txt": "hello" } }),
      creating("a key that is taken", (files) => files.put("a/b.jpg", "new"), { files: { ...picture, ...thumbnails }, fails: "409 HTTP_ERROR" }),
      creating(
        "a conflict that is caught",
        (files) => expect(files.put("a/b.jpg", "new")).rejects.toMatchObject({ code: "HTTP_ERROR" }),
        { files: picture },
      ),
      creating(
        "with overwrite, after the commit",
        async (files) => {
          await files.put("a/b.jpg", "new", { overwrite: true });
          expect(await service.files()).toEqual({ ...picture, ...thumbnails });
        },
        { files: { ...picture, ...thumbnails }, leaves: { "a/b.jpg": "new" } },
      ),
      creating(
        "with overwrite where nothing is, at once",
        async (files) => {
          await files.put("n.txt", "new", { overwrite: true });
          expect(await service.files()).toEqual({ "n.txt": "new" });
        },
        { leaves: { "n.txt": "new" } },
      ),
      creating("while another call fails", async () => {}, { plays: { before_create: async ({ name }, { db, storage }) => {
            if (name === "inner") {
              await stored;
              throw refusal();
            }
            stored = storage.put("a.txt", "new");
            const failing = db.hooked.create({ ...record, name: "inner" });
            const removed = storage.remove("c.txt");
            await Promise.allSettled([failing, stored, removed]);
          },
        },
        files: { "c.txt": "old" },
        leaves: { "a.txt": "new" },
      }),
      creating("what is no key", (files) => files.put("../a", "new"), { fails: "400 VALIDATION_ERROR path" }),
      creating("the key of a thumbnail", (files) => files.put("a/.thumbnails/b.jpg/small.jpg", "new"), { fails: "400 VALIDATION_ERROR path" }),
      creating("a stream of objects", (files) => files.put("a.txt", Readable.from([{ a: 1 }])), { fails: "500 INTERNAL_ERROR" }),
      creating("a stream of numbers", (files) => files.put("a.txt", Readable.from(["a", 1])), { fails: "500 INTERNAL_ERROR" }),
      creating("a stream that fails", (files) => files.put("a.txt", failing()), { fails: "500 INTERNAL_ERROR" }),
    ]);
  });

  describe("a rollback undoes put", () => {
    const then =
      (work: (files: HookContext["storage"]) => Promise<unknown>) =>
      async (files: HookContext["storage"]) => {
        await work(files);
        throw refusal();
      };
    // biome-ignore format: one case a line
    fileScenarios(service, [
      creating("of a new file", then((files) => files.put("a.txt", "new")), { ...refused, leaves: {} }),
      creating(
        "of one that was there, thumbnails included",
        then((files) => files.put("a/b.jpg", "new", { overwrite: true })),
        { ...refused,
          files: { ...picture, ...thumbnails },
        },
      ),
      creating(
        "of one after the other at one key",
        then(async (files) => {
          await files.put("a/b.jpg", "1", { overwrite: true });
          await files.put("a/b.jpg", "2", { overwrite: true });
          await files.put("n.txt", "1");
          await files.put("n.txt", "2", { overwrite: true });
        }),
        { ...refused, files: { ...picture, ...thumbnails } },
      ),
      { ...run("POST create", { data: { ...record, name: "one" } }),
        name: "where the database refuses",
        plays: { before_create: async (_, { storage }) => void (await storage.put("a.txt", "new")) },
        fails: "400 VALIDATION_ERROR name",
        leaves: {},
      },
      { ...run("POST create", { data: record }),
        name: "where the after-hook throws",
        plays: { before_create: async (_, { storage }) => void (await storage.put("a.txt", "new")),
          after_create: () => {
            throw refusal();
          },
        },
        ...refused,
        leaves: {},
      },
    ]);

    test("but not a file that another caller has stored there since", async () => {
      const open = await start();
      await performWithFiles(open, {
        ...creating("", async (files) => {
          await files.put("a.png", "mine");
          const form = formOf(["path", "a.png"], ["overwrite", "true"], filePart("of another user"));
          const { status } = await open.send(
            { method: "POST", path: "/storage/upload/file", ...form },
            { role: "admin", sub: "9" },
          );
          expect(status).toBe(200);
          throw refusal();
        }),
        ...refused,
        leaves: { "a.png": "of another user" },
      });
      expect(await open.leftovers()).toEqual([]);
    });

    test("a bulk undoes it for the records that fail, and the others keep it", async () => {
      await performWithFiles(service, {
        ...run("POST create", { data: [record, { ...record, name: "bad" }, { ...record, name: "third" }] }),
        plays: {
          before_create: async (value, { storage }) => {
            await storage.put(`of/${value.name}.txt`, "x");
            await storage.put("a/b.jpg", String(value.name), { overwrite: true });
            if (value.name === "bad") throw refusal();
          },
        },
        files: picture,
        leaves: { "a/b.jpg": "third", "of/new.txt": "x", "of/third.txt": "x" },
      });
    });

    test("a transaction that runs again stores it once", async () => {
      await service.query("create sequence if not exists tries");
      const attempts: number[] = [];
      await performWithFiles(service, {
        ...creating("", async (files, { transaction }) => {
          await files.put("a.txt", `attempt ${attempts.push(0)}`);
          await transaction.raw(
            "do $$ begin if nextval('tries') < 3 then raise exception 'x' using errcode = '40001'; end if; end $$",
          );
        }),
        leaves: { "a.txt": "attempt 3" },
      });
    });
  });

  test("an overwrite that fails after the commit is logged, and the old file stays", async () => {
    service.log.length = 0;
    await performWithFiles(service, {
      ...creating("", async (files) => {
        await files.put("a/b.jpg", "new", { overwrite: true });
        const [staged = ""] = await service.leftovers();
        await rm(join(service.root, service.staging, staged));
      }),
      files: picture,
    });
    await eventually(() =>
      expect(service.log).toContainEqual(
        expect.objectContaining({
          level: 50,
          subject: "a/b.jpg",
          err: expect.objectContaining({ code: "STORAGE_ERROR" }),
        }),
      ),
    );
    expect(await service.files()).toEqual(picture);
  });

  describe("remove", () => {
    const removing = (files: HookContext["storage"]) => files.remove("a/b.jpg");
    // biome-ignore format: one case a line
    fileScenarios(service, [
      creating(
        "happens after the commit",
        async (files) => {
          await removing(files);
          expect(await service.files()).toEqual({ ...picture, ...thumbnails });
        },
        { files: { ...picture, ...thumbnails }, leaves: thumbnails },
      ),
      creating("with thumbnails", (files) => files.remove("a/b.jpg", { with_thumbnails: true }), { files: { ...picture, ...thumbnails },
        leaves: {},
      }),
      creating("what is not there", (files) => files.remove("a/c.jpg"), { files: picture }),
      creating("what is no key", (files) => files.remove("/a"), { fails: "400 VALIDATION_ERROR path" }),
      creating("only thumbnails", (files) => files.remove("a/.thumbnails/b.jpg/small.jpg"), { fails: "400 VALIDATION_ERROR path" }),
      creating("and nothing is removed in a rollback", async (files) => { await removing(files); throw refusal(); }, { ...refused, files: picture }),
    ]);

    test("a bulk removes what the records that succeed removed", () =>
      performWithFiles(service, {
        ...run("POST create", { data: [record, { ...record, name: "bad" }] }),
        plays: {
          before_create: async (value, { storage }) => {
            await storage.remove(`of/${value.name}.txt`);
            if (value.name === "bad") throw refusal();
          },
        },
        files: { "of/new.txt": "x", "of/bad.txt": "x" },
        leaves: { "of/bad.txt": "x" },
      }));
  });

  describe("both at one key", () => {
    // biome-ignore format: one case a line
    fileScenarios(service, [
      creating(
        "a file that was removed can be put again, and stays",
        async (files) => {
          await files.remove("a/b.jpg", { with_thumbnails: true });
          await files.remove("a/b.jpg");
          await files.put("a/b.jpg", "new");
        },
        { files: { ...picture, ...thumbnails }, leaves: { "a/b.jpg": "new" } },
      ),
      creating("one that was put can be removed", async (files) => { await files.put("a.txt", "new"); await files.remove("a.txt"); }, { leaves: {} }),
      creating(
        "a rollback restores a file that was removed and put again",
        async (files) => {
          await files.remove("a/b.jpg");
          await files.put("a/b.jpg", "new");
          throw refusal();
        },
        { ...refused, files: { ...picture, ...thumbnails } },
      ),
    ]);

    test("if the record that put the file again fails, the removal by another record counts", () =>
      performWithFiles(service, {
        ...run("POST create", { data: [record, { ...record, name: "bad" }] }),
        plays: {
          before_create: async (value, { storage }) => {
            if (value.name === "new") return storage.remove("a/b.jpg");
            await storage.put("a/b.jpg", "bad");
            throw refusal();
          },
        },
        files: picture,
        leaves: {},
      }));

    test("where the record that removed it fails, it is taken as before", () =>
      performWithFiles(service, {
        ...run("POST create", { data: [{ ...record, name: "bad" }, record] }),
        plays: {
          before_create: async (value, { storage }) => {
            if (value.name === "new") {
              await expect(storage.put("a/b.jpg", "new")).rejects.toThrow("A file with this path exists");
              return;
            }
            await storage.remove("a/b.jpg");
            throw refusal();
          },
        },
        files: picture,
      }));
  });

  describe("url", () => {
    const links = (
      name: string,
      expected: unknown,
      ask: (files: HookContext["storage"]) => Promise<unknown>,
    ): FileScenario => creating(name, async (files) => expect(await ask(files)).toEqual(expected));
    fileScenarios(service, [
      links("a file", signedLink("a/b.jpg"), (files) => files.url("a/b.jpg")),
      links("a public one", publicLink("covers/7.jpg"), (files) => files.url("covers/7.jpg")),
      links("a thumbnail", signedLink("a/.thumbnails/b.jpg/small.jpg"), (files) =>
        files.url("a/.thumbnails/b.jpg/small.jpg"),
      ),
      creating("what is no key", (files) => files.url("a/"), { fails: "400 VALIDATION_ERROR path" }),
      ...[0, 604_801, 1.5, Number.NaN].map((expires) =>
        creating(`expires ${expires}`, (files) => files.url("a", { expires }), {
          fails: "400 VALIDATION_ERROR expires",
        }),
      ),
    ]);

    test("a link lasts for the given time", async () => {
      const asked: string[] = [];
      await performWithFiles(
        service,
        creating("", async (files) => asked.push(await files.url("a.txt", { expires: 60 }))),
      );
      const expires = Number(/expires=(\d+)/i.exec(asked[0] ?? "")?.[1]);
      expect(Math.abs(expires - expiresFrom() - 60)).toBeLessThan(10);
    });
  });

  describe("outside a transaction it happens at once", () => {
    test("in hooks of reads", () =>
      performWithFiles(service, {
        ...run("GET fetch?id=1", undefined),
        plays: {
          before_fetch: async (_, { storage }) => {
            await storage.put("a.txt", "new");
            await storage.remove("a/b.jpg");
          },
          after_fetch: async (found, { storage }) => {
            expect(await service.files()).toEqual({ "a.txt": "new" });
            await storage.put("a.txt", "newer", { overwrite: true });
            for (const row of found) row.code = await storage.url(`covers/${row.id}.jpg`);
          },
        },
        files: picture,
        data: [expect.objectContaining({ code: publicLink("covers/1.jpg") })],
        leaves: { "a.txt": "newer" },
      }));

    test("in hooks of GraphQL, around a transaction with those of models", async () => {
      await service.place(picture);
      await performGraphql(service, {
        given: { hooked: rows },
        as: "admin",
        query: 'mutation { createHooked(input: { name: "new", number: 5, code: "c" }) { id } }',
        plays: {
          before_graphql: async (_, { storage }) => void (await storage.put("before.txt", "x")),
          before_create: async (_, { storage }) => {
            await storage.put("hook.txt", "x");
            await storage.remove("a/b.jpg");
          },
          after_graphql: async (_, { storage }) => {
            await eventually(async () =>
              expect(Object.keys(await service.files())).toEqual(["before.txt", "hook.txt"]),
            );
            await storage.put("after.txt", "x");
          },
        },
      });
      expect(Object.keys(await service.files())).toEqual(["after.txt", "before.txt", "hook.txt"]);
    });

    test("a mutation whose second root field fails undoes what the first one put", async () => {
      await service.place(picture);
      await performGraphql(service, {
        given: { hooked: rows },
        as: "admin",
        query: `mutation {
        a: createHooked(input: { name: "new", number: 5, code: "c" }) { id }
        b: createHooked(input: { name: "new", number: 5, code: "c" }) { id }
      }`,
        plays: {
          before_create: async (_, { storage }) =>
            void (await storage.put("a/b.jpg", "new", { overwrite: true })),
        },
        fails: "400 VALIDATION_ERROR name",
      });
      expect(await service.files()).toEqual(picture);
    });
  });

  test("in hooks of accounts, in their transaction", async () => {
    const login = { method: "POST", path: "/auth/login", body: { email: "user1@example.com", password } };
    const scenario = (fails: boolean): FileScenario => ({
      given: accounts([account(1)]),
      send: "POST /auth/login",
      body: login.body,
      plays: {
        after_login: async (_, { storage }) => {
          await storage.put("users/1/welcome.txt", "x");
          if (fails) throw refusal();
        },
      },
      ...(fails ? refused : {}),
      leaves: fails ? {} : { "users/1/welcome.txt": "x" },
    });
    await performWithFiles(service, scenario(false));
    await performWithFiles(service, scenario(true));
  });

  test("what a hook does not wait for, and comes too late, is undone", async () => {
    const late: Promise<unknown>[] = [];
    await performWithFiles(
      service,
      creating("", async (files) => {
        const slow = Readable.from(
          (async function* () {
            await vi.waitFor(async () =>
              expect(await service.query("select from hooked where name = 'new'")).toHaveLength(1),
            );
            yield "late";
          })(),
        );
        late.push(expect(files.put("late.txt", slow)).rejects.toThrow(/has ended/));
      }),
    );
    await Promise.all(late);
    expect(await service.files()).toEqual({});
  });

  test("nothing is left behind", async () => {
    expect(await service.leftovers()).toEqual([]);
  });
});

describe("where the module is off", async () => {
  const off = await testService();

  test.each<[string, (files: HookContext["storage"]) => Promise<unknown>]>([
    ["put", (files) => files.put("a", "x")],
    ["url", (files) => files.url("a")],
    ["remove", (files) => files.remove("a")],
  ])("%s throws, and the log says how to switch it on", async (_, work) => {
    await off.store({});
    off.log.length = 0;
    Object.assign(stage, {
      hooks: {
        before_create: async (_value: unknown, context: HookContext) => void (await work(context.storage)),
      },
      fired: [],
    });
    const reply = await off.send({ method: "POST", path: "/hooked/create", body: { data: record } }, "admin");
    expect([reply.status, reply.envelope.error]).toEqual([500, "INTERNAL_ERROR"]);
    expect(JSON.stringify(off.log)).toContain('storage is off: set \\"modules\\": [\\"storage\\"]');
  });
});

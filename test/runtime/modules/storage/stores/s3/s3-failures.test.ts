import { rm, truncate } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { KeyLocks } from "#runtime/modules/storage/files/storage-services";
import { storeFile } from "#runtime/modules/storage/files/store-file";
import { thumbnailFolder, thumbnailKey } from "#runtime/modules/storage/keys/file-key";
import { KeyConflict, type StagedFile } from "#runtime/modules/storage/stores/file-store";
import { eventually } from "../../../../../support/eventually.ts";
import type { TestS3 } from "../../../../../support/s3/s3-server.ts";
import type { Fault } from "../../../../../support/s3/wire.ts";
import { silent } from "../../../../../support/silent-log.ts";
import { fileKey as key, type S3UnderTest, s3UnderTest } from "../../../../../support/stores.ts";

/** The short timeout for responses that never arrive. */
const idleMs = 400;
const megabyte = 1024 * 1024;
/** Goes in two parts. */
const large = 5 * megabyte + 1;
const picture = key("a/b.jpg");
const small = thumbnailKey(picture, "small.jpg");
const old = new Date(Date.now() - 60_000);

/** A bucket with a picture and its thumbnail. */
async function filled(): Promise<S3UnderTest> {
  const under = await s3UnderTest();
  await under.put(picture, "picture");
  await under.put(small, "small");
  return under;
}

/** Stores a new file as a route does. */
async function upload({ store }: S3UnderTest, file: StagedFile): Promise<string> {
  return storeFile({ store, locks, log: silent }, { key: key("a"), file, overwrite: false });
}

const locks = new KeyLocks();

const operations: Readonly<Record<string, (under: S3UnderTest) => Promise<unknown>>> = {
  "put of a new file": ({ put }) => put(key("new"), "new"),
  "put of a file in parts": async ({ store, stage }) => {
    const file = await stage(Buffer.alloc(large, "x"));
    await store.put(key("new"), file, { overwrite: false }).finally(() => rm(file.path));
  },
  head: ({ store }) => store.head(picture),
  remove: ({ store }) => store.remove(key("a/b.jpg")),
  removeAll: ({ store }) => store.removeAll([picture, small]),
  move: ({ store }) => store.move(picture, key("new"), { overwrite: false }),
  removeBelow: ({ store }) => store.removeBelow(thumbnailFolder(picture)),
  list: ({ list }) => list(),
  purge: ({ store }) => store.purge(old),
};

const failures: Readonly<Record<string, Fault>> = {
  "answers with 500": { kind: "error", status: 500, code: "InternalError" },
  "refuses with 403": { kind: "error", status: 403, code: "AccessDenied" },
  "breaks the connection": { kind: "broken" },
  "never reads": { kind: "deaf" },
  "reads and never answers": { kind: "idle" },
  "does it and never answers": { kind: "mute" },
  "answers with a page of another server": { kind: "page" },
};

/** How each operation ends while something fails, and whether the store goes on when it is mended. */
async function outcomes(fail: (s3: TestS3) => unknown, patienceMs: number): Promise<Record<string, unknown>> {
  const ends = Object.entries(operations).map(async ([name, operation]) => {
    const under = await filled();
    await fail(under.s3);
    const end = await operation(under.also({ idleMs: patienceMs })).then(
      () => "done",
      (error: unknown) => (error instanceof Error && !(error instanceof KeyConflict) ? "rejects" : error),
    );
    await under.s3.mend();
    await under.put(key("next"), "next");
    expect(await under.read(key("next"))).toBe("next");
    return [name, end];
  });
  return Object.fromEntries(await Promise.all(ends));
}

const allReject = Object.fromEntries(Object.keys(operations).map((name) => [name, "rejects"]));

test.concurrent.each(Object.entries(failures))(
  "S3 %s: each operation rejects, and the store goes on",
  async (_, fault) => {
    expect(await outcomes((s3) => s3.fault(fault), idleMs)).toEqual(allReject);
  },
);

test("connections are refused: each operation rejects, and the store goes on", async () => {
  expect(await outcomes((s3) => s3.refuse(), 20_000)).toEqual(allReject);
});

describe("a put that fails leaves nothing behind", () => {
  const decisive = { whole: "PutObject", parts: "CompleteMultipartUpload" } as const;
  // biome-ignore format: one case a line
  const cases = [
    ...Object.entries(failures).flatMap(([name, fault]) => [
      { name: `whole: ${name}`, fault: { ...fault, on: [decisive.whole] }, bytes: 1000 },
      { name: `in parts: ${name}`, fault: { ...fault, on: [decisive.parts] }, bytes: large },
      { name: `a part: ${name}`, fault: { ...fault, on: ["UploadPart"], after: 1 }, bytes: large },
    ]),
    { name: "error in 200", fault: { kind: "error in 200", code: "InternalError", on: [decisive.parts] }, bytes: large },
    { name: "no ETag", fault: { kind: "header", name: "etag", value: null, on: [decisive.whole] }, bytes: 10 },
    { name: "no ETag of a part", fault: { kind: "header", name: "etag", value: null, on: ["UploadPart"] }, bytes: large },
    { name: "another ETag of a part", fault: { kind: "header", name: "etag", value: '"x"', on: ["UploadPart"] }, bytes: large },
  ] satisfies { name: string; fault: Fault; bytes: number }[];

  const kinds = [...new Set(cases.map(({ name }) => name.split(":", 1)[0] ?? ""))];

  test.each(kinds)("%s", async (kind) => {
    const ofKind = cases.filter(({ name }) => name.split(":", 1)[0] === kind);
    await Promise.all(ofKind.map(leavesNothing));
  });

  async function leavesNothing({ name, fault, bytes }: (typeof cases)[number]) {
    // Responses that never arrive have a short timeout, but one in which a busy machine can clean up.
    const isSilent = ["deaf", "idle", "mute"].includes(fault.kind);
    const under = await s3UnderTest(isSilent ? { idleMs: 1_500 } : {});
    const { s3, list } = under;
    const file = await under.stage(Buffer.alloc(bytes, "x"));
    s3.fault(fault);
    await expect(upload(under, file), name).rejects.toMatchObject({ code: "STORAGE_ERROR" });
    // Behind a silent provider the cleanup runs in the background.
    await vi.waitFor(() => expect([...s3.objects.keys(), ...s3.uploads.keys()], name).toEqual([]), 10_000);
    await s3.mend();
    expect(await list()).toEqual([]);
  }

  test("behind a silent provider too, before the next upload of the key starts", async () => {
    const under = await s3UnderTest({ idleMs: 1_500 });
    under.s3.fault({ kind: "mute", on: ["PutObject"], times: 1 });
    await expect(upload(under, await under.stage("lost"))).rejects.toMatchObject({ code: "STORAGE_ERROR" });
    await upload(under, await under.stage("next"));
    expect(under.s3.requests.filter(({ operation }) => /^(Put|Delete)Object$/.test(operation))).toMatchObject(
      [{ operation: "PutObject" }, { operation: "DeleteObject" }, { operation: "PutObject" }],
    );
    expect(await under.read(key("a"))).toBe("next");
  });

  test("also if S3 refuses to abort a multipart upload", async () => {
    const under = await s3UnderTest();
    const { s3 } = under;
    s3.fault({ kind: "lost", on: ["CompleteMultipartUpload"] });
    const refused = { kind: "error", status: 403, code: "AccessDenied" } as const;
    s3.fault({ ...refused, on: ["AbortMultipartUpload"] });
    // Or the upload would find that it has succeeded.
    s3.fault({ ...refused, on: ["HeadObject"], after: 1, times: 1 });
    await expect(upload(under, await under.stage(Buffer.alloc(large, "x")))).rejects.toThrow();
    expect([...s3.objects.keys()]).toEqual([]);
  });

  test("and does not remove an object that another process has stored meanwhile", async () => {
    const under = await s3UnderTest();
    const { s3 } = under;
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    s3.fault({ kind: "header", name: "etag", value: null, on: ["PutObject"], times: 1 });
    s3.fault({ kind: "held", until, on: ["DeleteObject"], times: 1 });
    const outcome = upload(under, await under.stage("mine")).catch((error: unknown) => error);
    await eventually(() => expect(s3.requests.at(-1)?.operation).toBe("DeleteObject"));
    s3.place("a", "of another process");
    release();
    expect(await outcome).toMatchObject({ cause: { operation: "PutObject", code: "IncompleteAnswer" } });
    expect(String(s3.objects.get("a")?.content)).toBe("of another process");
  });

  test("nor does a staged file that went, or became shorter", async () => {
    const { s3, store, stage } = await s3UnderTest();
    for (const bytes of [1000, large]) {
      const gone = await stage(Buffer.alloc(bytes, "x"));
      await rm(gone.path);
      await expect(store.put(key("a"), gone, { overwrite: false })).rejects.toThrow("ENOENT");
      const short = await stage(Buffer.alloc(bytes, "x"));
      await truncate(short.path, bytes - 1);
      await expect(store.put(key("a"), short, { overwrite: false })).rejects.toThrow("has changed");
    }
    expect([...s3.objects.keys(), ...s3.uploads.keys()]).toEqual([]);
  });

  test("the existing file stays if the new bytes were not accepted", async () => {
    const { s3, put, read, also } = await s3UnderTest();
    const hasty = also({ idleMs });
    await put(key("a"), "old");
    for (const fault of [failures["answers with 500"], failures["never reads"]]) {
      if (fault !== undefined) s3.fault(fault);
      await expect(hasty.put(key("a"), "new", true)).rejects.toThrow();
      await s3.mend();
      expect(await read(key("a"))).toBe("old");
    }
  });
});

describe("transient failures are retried", () => {
  // biome-ignore format: one case a line
  test.each([
    { name: "500", fault: { kind: "error", status: 500, code: "InternalError" } },
    { name: "a connection that breaks", fault: { kind: "broken" } },
    { name: "another write under way", fault: { kind: "error", status: 409, code: "ConditionalRequestConflict" } },
  ] satisfies { name: string; fault: Fault }[])("$name, twice", async ({ fault }) => {
    const { s3, put, read, store, stage } = await s3UnderTest();
    for (const operation of ["PutObject", "CompleteMultipartUpload"])
      s3.fault({ ...fault, on: [operation], times: 2 });
    await put(key("a"), "whole");
    expect(await read(key("a"))).toBe("whole");
    await store.put(key("b"), await stage(Buffer.alloc(large, "x")), { overwrite: false });
    expect(s3.objects.get("b")?.content).toHaveLength(large);
    expect([...s3.uploads]).toEqual([]);
  });

  test("a key that others write all the time is a conflict", async () => {
    const { s3, put, store, stage } = await s3UnderTest();
    s3.fault({
      kind: "error",
      status: 409,
      code: "ConditionalRequestConflict",
      on: ["PutObject", "CompleteMultipartUpload"],
    });
    await expect(put(key("a"))).rejects.toBeInstanceOf(KeyConflict);
    const file = await stage(Buffer.alloc(large, "x"));
    await expect(store.put(key("a"), file, { overwrite: false })).rejects.toBeInstanceOf(KeyConflict);
    expect([...s3.uploads]).toEqual([]);
  });

  test.each([false, true])(
    "an upload whose answer was lost is not in its own way (overwrite: %s)",
    async (overwrite) => {
      const { s3, put, read, store, stage } = await s3UnderTest();
      s3.fault({ kind: "lost", on: ["PutObject"], times: 1 });
      await put(key("a"), "once", overwrite);
      expect(await read(key("a"))).toBe("once");
      s3.fault({ kind: "lost", on: ["CompleteMultipartUpload"], times: 1 });
      await store.put(key("b"), await stage(Buffer.alloc(large, "x")), { overwrite });
      expect(s3.objects.get("b")?.content).toHaveLength(large);
    },
  );
});

test("S3 may take the bytes slowly, as long as it takes some", async () => {
  const size = 16 * megabyte;
  const { s3, store, stage } = await s3UnderTest({ idleMs: 1_000, partSize: size });
  s3.fault({ kind: "slow reader", pauseMs: 8, on: ["PutObject"] });
  const begun = performance.now();
  await store.put(key("a"), await stage(Buffer.alloc(size, "x")), { overwrite: false });
  expect(performance.now() - begun).toBeGreaterThan(1_000);
  expect(s3.objects.get("a")?.content).toHaveLength(size);
});

test("S3 may copy a file for longer than it may be silent otherwise", async () => {
  const { s3, store, put, list } = await s3UnderTest({ idleMs });
  await put(key("a"));
  s3.fault({ kind: "held", until: setTimeout(2 * idleMs), on: ["CopyObject"] });
  expect(await store.move(key("a"), key("b"), { overwrite: false })).toBe(true);
  expect(await list()).toEqual(["b"]);
});

test("a list that does not move on is refused", async () => {
  const { s3, list } = await s3UnderTest();
  s3.fault({ kind: "page", on: ["ListObjectsV2"] });
  await expect(list()).rejects.toThrow("the response has no IsTruncated");
});

describe("a listing of other keys than the requested ones is refused", () => {
  const { removeBelow } = operations;

  test("removeBelow, and nothing is removed", async () => {
    const under = await filled();
    for (const name of ["a/.thumbnails/c.jpg/small.jpg", "covers/7.jpg", "z"]) under.s3.place(name);
    const before = [...under.s3.objects];
    under.s3.fault({ kind: "ignores", parameter: "prefix", on: ["ListObjectsV2"] });
    await expect(removeBelow?.(under)).rejects.toThrow("WrongList");
    expect([...under.s3.objects]).toEqual(expect.arrayContaining(before));
  });

  test("list, and nothing is shown", async () => {
    const { s3, list } = await filled();
    s3.place("b");
    s3.fault({ kind: "ignores", parameter: "prefix", on: ["ListObjectsV2"] });
    await expect(list("a/")).rejects.toThrow("WrongList");
    await s3.mend();
    s3.fault({ kind: "ignores", parameter: "start-after", on: ["ListObjectsV2"] });
    await expect(list("", "a/c")).rejects.toThrow("WrongList");
    await s3.mend();
    expect(await list("", "a/c")).toEqual(["b"]);
  });
});

test("rejections can be logged: they name the operation, the status and the code, and hold no request", async () => {
  const { s3, store, put } = await s3UnderTest();
  s3.fault({ kind: "error", status: 403, code: `no ${s3.secretAccessKey}` });
  const errors = await Promise.all(
    [store.head(picture), put(picture), store.list({ prefix: "", after: "", limit: 1 })].map((work) =>
      work.catch((error: unknown) => error),
    ),
  );
  expect(String(errors[1])).toContain("S3 PutObject: 403");
  for (const error of errors) {
    const shown = inspect(error, { depth: 10, showHidden: true });
    expect(shown).toContain("403");
    for (const hidden of [s3.secretAccessKey, s3.accessKeyId, "Signature=", "uthorization"])
      expect(shown).not.toContain(hidden);
  }
});

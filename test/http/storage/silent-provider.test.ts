import { promises as disk } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { filePart, formOf } from "../../support/multipart.ts";
import { testS3 } from "../../support/s3/s3-server.ts";
import { outcome } from "../../support/scenarios.ts";
import { storageService } from "../../support/storage.ts";
import { testFolder } from "../../support/stores.ts";

const { lstat } = disk;
const s3 = await testS3();
let wasAsked = false;

/** The disk never says again what there is. */
function silenceDisk(): void {
  disk.lstat = () => {
    wasAsked = true;
    return new Promise<never>(() => {});
  };
  syncBuiltinESMExports();
}

afterEach(async () => {
  vi.useRealTimers();
  disk.lstat = lstat;
  syncBuiltinESMExports();
  await s3.mend();
});

// biome-ignore format: one case a line
describe.each([
  { name: "a disk", service: await storageService(), silence: silenceDisk, isAsked: () => wasAsked },
  {
    name: "S3",
    service: await storageService({ store: s3.settings(await testFolder()) }),
    silence: () => s3.fault({ kind: "deaf" }),
    isAsked: () => s3.requests.length > 0,
  },
])("$name that is silent", ({ service, silence, isAsked }) => {
  test("is 500 STORAGE_ERROR after 30 seconds and not before, and the service goes on", async () => {
    const ask = () => service.send({ method: "DELETE", path: "/storage/delete?path=a.txt" }, "user");
    // Loads what is needed.
    expect(outcome(await ask())).toBe("404 NOT_FOUND");
    s3.requests.length = 0;
    silence();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isAnswered = false;
    const answer = ask().finally(() => {
      isAnswered = true;
    });
    await eventually(() => expect(isAsked()).toBe(true));
    await vi.advanceTimersByTimeAsync(29_500);
    expect((await service.send({ method: "GET", path: "/readyz" })).status).toBe(200);
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(outcome(await answer)).toBe("500 STORAGE_ERROR");
    vi.useRealTimers();
    disk.lstat = lstat;
    syncBuiltinESMExports();
    await s3.mend();
    expect(outcome(await ask())).toBe("404 NOT_FOUND");
  });
});

describe("an upload to a silent S3", async () => {
  const service = await storageService({ store: s3.settings(await testFolder()) });
  const upload = (content: string, overwrite: string) => {
    const form = formOf(["path", "a.txt"], ["overwrite", overwrite], filePart(content));
    return service.send({ method: "POST", path: "/storage/upload/file", ...form }, "user");
  };
  const operations = () => s3.requests.map(({ operation }) => operation);
  const contents = () => Object.fromEntries([...s3.objects].map(([key, { content }]) => [key, `${content}`]));

  /** What uploads are answered, of which S3 stores the first and never says so. */
  async function answersTo(...uploads: readonly (() => ReturnType<typeof upload>)[]) {
    s3.objects.clear();
    expect(outcome(await upload("old", "true"))).toBe("200");
    s3.requests.length = 0;
    s3.fault({ kind: "mute", on: ["PutObject"], times: 1 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const [first, ...others] = uploads.map((send) => send());
    await eventually(() => expect(operations()).toContain("PutObject"));
    await vi.advanceTimersByTimeAsync(30_500);
    const outcomes = [first && outcome(await first)];
    vi.useRealTimers();
    for (const other of others) outcomes.push(outcome(await other));
    return outcomes;
  }

  test("is answered after 30 seconds with overwrite, too, and can have taken effect", async () => {
    expect(await answersTo(() => upload("new", "true"))).toEqual(["500 STORAGE_ERROR"]);
    expect(contents()).toEqual({ "a.txt": "new" });
  });

  test("without overwrite is taken back after the answer, before the next upload of the key begins", async () => {
    const send = (content: string) => {
      const form = formOf(["path", "b.txt"], filePart(content));
      return service.send({ method: "POST", path: "/storage/upload/file", ...form }, "user");
    };
    expect(
      await answersTo(
        () => send("lost"),
        () => send("next"),
      ),
    ).toEqual(["500 STORAGE_ERROR", "200"]);
    expect(contents()).toEqual({ "a.txt": "old", "b.txt": "next" });
    expect(operations().filter((name) => /^(Put|Delete)Object$/.test(name))).toEqual([
      "PutObject",
      "DeleteObject",
      "PutObject",
    ]);
  });
});

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

describe.each([
  {
    name: "a disk",
    service: await storageService(),
    silence: silenceDisk,
    isAsked: () => wasAsked,
  },
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

test.each([
  { name: "with overwrite, of a file that exists", overwrite: "true", before: { "a.txt": "old" } },
  { name: "with overwrite, of a new file", overwrite: "true", before: {} },
  { name: "without overwrite", overwrite: "false", before: {} },
])("an upload to a silent S3 is answered after 30 seconds and taken back later: $name", async (scenario) => {
  const { overwrite, before } = scenario;
  const service = await storageService({ store: s3.settings(await testFolder()) });
  const upload = (content: string) => {
    const form = formOf(["path", "a.txt"], ["overwrite", overwrite], filePart(content));
    return service.send({ method: "POST", path: "/storage/upload/file", ...form }, "user");
  };
  s3.objects.clear();
  for (const [path, content] of Object.entries(before)) s3.place(path, content);
  s3.requests.length = 0;
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  s3.fault({ kind: "mute", on: ["PutObject"] });
  // What takes the upload back begins with it.
  s3.fault({ kind: "held", until, on: ["HeadObject"], after: overwrite === "true" ? 1 : 0 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answer = upload("new");
  const operations = () => s3.requests.map(({ operation }) => operation);
  await eventually(() => expect(operations()).toContain("PutObject"));
  await vi.advanceTimersByTimeAsync(30_500);
  expect(outcome(await answer)).toBe("500 STORAGE_ERROR");
  vi.useRealTimers();
  release();
  const contents = () => Object.fromEntries([...s3.objects].map(([key, { content }]) => [key, `${content}`]));
  await eventually(() => expect(contents()).toEqual(before));
});

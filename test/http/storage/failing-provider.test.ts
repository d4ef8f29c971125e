import { promises as disk } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { testS3 } from "../../support/s3/s3-server.ts";
import { outcome } from "../../support/scenarios.ts";
import { storageService } from "../../support/storage.ts";
import { testFolder } from "../../support/stores.ts";

const s3 = await testS3();
s3.publicPrefixes = ["covers/"];
const store = s3.settings(await testFolder());
const service = await storageService({
  store,
  publicPrefixes: s3.publicPrefixes,
  thumbnails: [{ name: "small", width: 20, height: 20 }],
});

const strict = await storageService({ store, maxFileSizeBytes: 50_000, allowedMediaTypes: ["image/*"] });

beforeEach(async () => {
  await s3.mend();
  s3.objects.clear();
});

async function upload(
  kind: "file" | "image",
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string>,
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([content], "upload.bin"));
  const sent = new Response(form);
  const headers = { "content-type": sent.headers.get("content-type") ?? "" };
  const body = Buffer.from(await sent.arrayBuffer());
  return service.send({ method: "POST", path: `/storage/upload/${kind}`, headers, body }, "user");
}

const ask = (method: string, path: string) => service.send({ method, path }, "user");
const names = () => [...s3.objects.keys()].sort();
const pngOf = async (background: string) =>
  new Uint8Array(
    await sharp({ create: { width: 60, height: 30, channels: 3, background } })
      .png()
      .toBuffer(),
  );
const picture = await pngOf("red");

describe.each<[string, () => unknown, RegExp]>([
  ["that refuses", () => s3.fault({ kind: "error", status: 403, code: "AccessDenied" }), /S3 \w+: 403 /],
  ["that cannot be reached", () => s3.refuse(), /S3 \w+: .*ECONNREFUSED/],
])("a provider %s is 500 STORAGE_ERROR, and the service goes on", (_, fail, logged) => {
  // biome-ignore format: one case a line
  test.each([
    ["POST /storage/upload/file", () => upload("file", "x", { path: "new.txt" })],
    ["POST /storage/upload/file over another", () => upload("file", "x", { path: "old.txt", overwrite: "true" })],
    ["POST /storage/upload/image", () => upload("image", picture, { path: "new.png", thumbnails: "true" })],
    ["DELETE /storage/delete", () => ask("DELETE", "/storage/delete?path=old.txt&with_thumbnails=true")],
    ["GET /storage/url", () => ask("GET", "/storage/url?path=old.txt")],
    ["GET /storage/list", () => ask("GET", "/storage/list")],
  ])("%s", async (_, send) => {
    s3.place("old.txt", "old");
    service.log.length = 0;
    await fail();
    expect(outcome(await send())).toBe("500 STORAGE_ERROR");
    expect((await ask("GET", "/readyz")).status).toBe(200);
    const log = JSON.stringify(service.log);
    expect(log).toMatch(logged);
    for (const hidden of [s3.secretAccessKey, s3.accessKeyId, "Signature="])
      expect(log).not.toContain(hidden);
    await s3.mend();
    expect(names()).toEqual(["old.txt"]);
    expect(outcome(await upload("file", "x", { path: "next.txt" }))).toBe("200");
  });
});

describe("a provider that fails in the midst", () => {
  test.each([{}, { overwrite: "true" }])(
    "where a thumbnail of a new file cannot be stored nothing stays: %j",
    async (more) => {
      s3.fault({ kind: "error", status: 403, code: "AccessDenied", on: ["PutObject"], after: 1 });
      const fields = { path: "new.png", thumbnails: "true", ...more };
      expect(outcome(await upload("image", picture, fields))).toBe("500 STORAGE_ERROR");
      expect(names()).toEqual([]);
    },
  );

  test("where a thumbnail cannot be stored an overwrite leaves the new file, and no thumbnail of the old one", async () => {
    await upload("image", picture, { path: "p.png", thumbnails: "true" });
    s3.fault({ kind: "error", status: 403, code: "AccessDenied", on: ["PutObject"], after: 1 });
    const other = await pngOf("blue");
    const fields = { path: "p.png", thumbnails: "true", overwrite: "true" };
    expect(outcome(await upload("image", other, fields))).toBe("500 STORAGE_ERROR");
    expect(names()).toEqual(["p.png"]);
    expect(s3.objects.get("p.png")?.content).toEqual(Buffer.from(other));
    await s3.mend();
    expect(outcome(await upload("image", other, fields))).toBe("200");
    expect(names()).toEqual([".thumbnails/p.png/small.png", "p.png"]);
  });

  test.each([
    ["thumbnails cannot be removed", "DeleteObjects", [".thumbnails/p.png/small.png", "p.png"]],
    ["the original cannot be removed", "DeleteObject", ["p.png"]],
  ])("where %s a removal leaves the original, and can be repeated", async (_, operation, left) => {
    await upload("image", picture, { path: "p.png", thumbnails: "true" });
    s3.fault({ kind: "error", status: 403, code: "AccessDenied", on: [operation] });
    const remove = () => ask("DELETE", "/storage/delete?path=p.png&with_thumbnails=true");
    expect(outcome(await remove())).toBe("500 STORAGE_ERROR");
    expect(names()).toEqual(left);
    await s3.mend();
    expect(outcome(await remove())).toBe("200");
    expect(names()).toEqual([]);
  });
});

describe("a folder", () => {
  const remove = () => ask("DELETE", "/storage/delete?prefix=a/");

  beforeEach(() => {
    for (const name of ["a/1.txt", "a/2.txt"]) s3.place(name);
  });

  test("with an object that S3 does not delete reports it", async () => {
    s3.kept.add("a/1.txt");
    onTestFinished(() => s3.kept.clear());
    const { status, envelope } = await remove();
    const data = { path: "a/", deleted: 1, failed: [{ path: "a/1.txt" }], more: false };
    expect([status, envelope.data, names()]).toEqual([200, data, ["a/1.txt"]]);
  });

  test("whose deletion S3 does not confirm is 500, and can be deleted again", async () => {
    s3.fault({ kind: "lost", on: ["DeleteObjects"] });
    expect(outcome(await remove())).toBe("500 STORAGE_ERROR");
    await s3.mend();
    expect([outcome(await remove()), names()]).toEqual(["200", []]);
  });
});

describe("what is refused sends no content to S3", () => {
  const file = filePart(Buffer.from(picture), "a.png");
  const sending = new Set(["PutObject", "CreateMultipartUpload", "UploadPart"]);
  const sent = () => s3.requests.filter(({ operation }) => sending.has(operation));

  test.each<[string, "file" | "image", string, readonly Part[]]>([
    ["a file of a type that is not allowed", "file", "415 HTTP_ERROR", [filePart("text", "a.png")]],
    ["an invalid picture", "image", "415 HTTP_ERROR", [filePart("text", "a.png")]],
    ["a file that is too large", "file", "413 HTTP_ERROR", [filePart(Buffer.alloc(50_001), "a.png")]],
    ["an unknown field behind the file", "file", "400 VALIDATION_ERROR x", [file, ["x", "y"]]],
    ["a wrong path behind the file", "image", "400 VALIDATION_ERROR path", [file, ["path", "../a"]]],
  ])("%s", async (_, kind, refusal, parts) => {
    const before = sent().length;
    const send = (...form: readonly Part[]) =>
      strict.send({ method: "POST", path: `/storage/upload/${kind}`, ...formOf(...form) }, "user");
    expect(outcome(await send(...parts))).toBe(refusal);
    expect(sent().length).toBe(before);
    expect(outcome(await send(file))).toBe("200");
    expect(sent().length).toBe(before + 1);
  });
});

const { lstat } = disk;
let wasAsked = false;

/** The disk never says again what there is. */
function silenceDisk(): void {
  Object.assign(disk, {
    lstat: () => {
      wasAsked = true;
      return new Promise<never>(() => {});
    },
  });
  syncBuiltinESMExports();
}

function mendDisk(): void {
  disk.lstat = lstat;
  syncBuiltinESMExports();
}

afterEach(() => {
  vi.useRealTimers();
  mendDisk();
});

// biome-ignore format: one case a line
describe.each([
  { name: "a disk", service: await storageService(), silence: silenceDisk, mend: mendDisk, isAsked: () => wasAsked },
  { name: "S3", service, silence: () => s3.fault({ kind: "deaf" }), mend: () => s3.mend(), isAsked: () => s3.requests.length > 0 },
])("$name that is silent", ({ service, silence, mend, isAsked }) => {
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
    await mend();
    expect(outcome(await ask())).toBe("404 NOT_FOUND");
  });
});

describe("an upload to a silent S3", () => {
  const uploadText = (content: string, overwrite: string) => {
    const form = formOf(["path", "a.txt"], ["overwrite", overwrite], filePart(content));
    return service.send({ method: "POST", path: "/storage/upload/file", ...form }, "user");
  };
  const operations = () => s3.requests.map(({ operation }) => operation);
  const contents = () => Object.fromEntries([...s3.objects].map(([key, { content }]) => [key, `${content}`]));

  /** The outcomes of uploads. S3 stores the first one, and does not respond to it. */
  async function answersTo(...uploads: readonly (() => ReturnType<typeof uploadText>)[]) {
    s3.objects.clear();
    expect(outcome(await uploadText("old", "true"))).toBe("200");
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
    expect(await answersTo(() => uploadText("new", "true"))).toEqual(["500 STORAGE_ERROR"]);
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

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DetailedError, Upload as TusUpload, UploadOptions } from "tus-js-client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { purgeStorage } from "#runtime/modules/storage/index";
import { afterFile } from "../../support/after-file.ts";
import { limited } from "../../support/limited-service.ts";
import { outcome } from "../../support/scenarios.ts";
import { type Caller, tokenOf } from "../../support/service-token.ts";
import { type StorageService, signedLink, storageService } from "../../support/storage.ts";
import { storageProviders } from "../../support/storage-providers.ts";
import { tusClient } from "../../support/tus-client.ts";

const { Upload } = await tusClient();

const tus = { "tus-resumable": "1.0.0" };
const octets = { "content-type": "application/offset+octet-stream" };
const encode = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

interface Sending {
  readonly metadata?: Record<string, string>;
  readonly as?: NonNullable<Caller>;
  readonly options?: UploadOptions;
}

/** Uploads as an app does, by the official client. Rejects with its error. */
function upload(
  service: StorageService,
  content: Buffer,
  { metadata = { path: "a.txt" }, as = "user", options = {} }: Sending = {},
): Promise<{ headers: (name: string) => string | undefined; url: string | null }> {
  return new Promise((resolve, reject) => {
    const sending = new Upload(content, {
      endpoint: `${service.origin}/storage/resumable`,
      headers: { Authorization: `Bearer ${tokenOf(as)}` },
      metadata,
      retryDelays: null,
      chunkSize: 1000,
      onSuccess: ({ lastResponse }) =>
        resolve({ headers: (name) => lastResponse.getHeader(name), url: sending.url }),
      onError: reject,
      ...options,
    });
    sending.start();
  });
}

const statusOf = (error: unknown) => (error as DetailedError).originalResponse?.getStatus();
const bodyOf = (error: unknown): unknown =>
  JSON.parse((error as DetailedError).originalResponse?.getBody() ?? "{}");

/** Creates an upload by hand, and returns its path. */
async function create(
  service: StorageService,
  length: number,
  metadata: Record<string, string> = { path: "a.txt" },
  as: Caller = "user",
): Promise<string> {
  const headers = { ...tus, "upload-length": `${length}`, "upload-metadata": encode(metadata) };
  const reply = await service.send({ method: "POST", path: "/storage/resumable", headers }, as);
  expect(reply.status, reply.text).toBe(201);
  return String(reply.headers["location"]);
}

const patch = (
  service: StorageService,
  path: string,
  offset: number,
  content: string | Buffer,
  as: Caller = "user",
) =>
  service.send(
    {
      method: "PATCH",
      path,
      headers: { ...tus, ...octets, "upload-offset": `${offset}` },
      body: Buffer.from(content),
    },
    as,
  );

/** Makes all unfinished uploads older than a day. */
async function age({ root, staging }: StorageService): Promise<void> {
  const yesterday = new Date(Date.now() - 86_500_000);
  for (const name of await readdir(join(root, staging))) {
    const path = join(root, staging, name);
    const state = await readFile(path, "utf8");
    const aged = state.replace(/("creation_date":")[^"]*/, `$1${yesterday.toISOString()}`);
    if (name.endsWith(".json")) await writeFile(path, aged);
    await utimes(path, yesterday, yesterday);
  }
}

const head = (service: StorageService, path: string, as: Caller = "user") =>
  service.send({ method: "HEAD", path, headers: tus }, as);

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start({ resumable: true, maxFileSizeBytes: 5000 });
  const content = randomBytes(3500);

  test("the official client uploads in chunks, and gets the path and the link", async () => {
    await service.place({});
    const { headers } = await upload(service, content, { metadata: { path: "é/", filename: "a b.bin" } });
    expect(headers("x-file-path")).toBe("%C3%A9/a%20b.bin");
    expect(headers("x-file-url")).toEqual(signedLink(service, "é/a b.bin"));
    expect((await service.read("é/a b.bin")).equals(content)).toBe(true);
    expect(Number(headers("upload-offset"))).toBe(3500);
  });

  test("all in the creating request, and an empty file", async () => {
    await service.place({});
    const options = { uploadDataDuringCreation: true, chunkSize: Number.POSITIVE_INFINITY };
    const { headers } = await upload(service, content, { options });
    expect(headers("x-file-path")).toBe("a.txt");
    await upload(service, Buffer.alloc(0), { metadata: { path: "empty.txt" } });
    expect(Object.keys(await service.files())).toEqual(["a.txt", "empty.txt"]);
    expect((await service.read("a.txt")).equals(content)).toBe(true);
  });

  test("an interrupted upload goes on after the last byte that arrived", async () => {
    await service.place({});
    const { promise, sending } = interrupted(service, content);
    const uploadUrl = await promise;
    const { headers } = await upload(service, content, { options: { uploadUrl } });
    expect(headers("x-file-path")).toBe("a.txt");
    expect((await service.read("a.txt")).equals(content)).toBe(true);
    expect(sending.url).toBe(uploadUrl);
  });

  test("a finished upload does not exist any more, and nothing of it stays", async () => {
    await service.place({});
    const path = await create(service, 3);
    expect((await patch(service, path, 0, "abc")).status).toBe(204);
    expect((await head(service, path)).status).toBe(404);
    expect(outcome(await patch(service, path, 3, ""))).toBe("404 NOT_FOUND");
    expect([await service.files(), await service.leftovers()]).toEqual([{ "a.txt": "abc" }, []]);
  });

  test("an expired upload is 410, until the purge removes it", async () => {
    await service.place({});
    const path = await create(service, 3);
    await age(service);
    expect((await head(service, path)).status).toBe(410);
    expect(outcome(await patch(service, path, 0, "abc"))).toBe("410 HTTP_ERROR");
    const { storage } = service.config;
    if (storage === null) throw new Error("the service has no storage");
    expect(await purgeStorage(storage, new Date())).toBe(2);
    expect(await service.leftovers()).toEqual([]);
    expect((await head(service, path)).status).toBe(404);
  });

  test("a taken path is refused at the beginning, and at the end", async () => {
    await service.place({ "a.txt": "old" });
    const error: unknown = await upload(service, content).catch((reason: unknown) => reason);
    expect([statusOf(error), bodyOf(error)]).toEqual([
      409,
      expect.objectContaining({ error: "HTTP_ERROR", statusCode: 409, data: null }),
    ]);
    await service.place({});
    const [first, second] = [await create(service, 3), await create(service, 3)];
    expect((await patch(service, first, 0, "abc")).status).toBe(204);
    expect(outcome(await patch(service, second, 0, "def"))).toBe("409 HTTP_ERROR");
    expect((await head(service, second)).status).toBe(404);
    expect(await service.files()).toEqual({ "a.txt": "abc" });
  });

  test("overwrite replaces a file", async () => {
    await service.place({ "a.txt": "old" });
    await upload(service, Buffer.from("new"), { metadata: { path: "a.txt", overwrite: "true" } });
    expect(await service.files()).toEqual({ "a.txt": "new" });
  });
});

/** An upload whose connection breaks after the first chunk; resolves with its address. */
function interrupted(service: StorageService, content: Buffer, as: NonNullable<Caller> = "user") {
  let sending: TusUpload;
  const promise = new Promise<string>((resolve, reject) => {
    sending = new Upload(content, {
      endpoint: `${service.origin}/storage/resumable`,
      headers: { Authorization: `Bearer ${tokenOf(as)}` },
      metadata: { path: "a.txt" },
      chunkSize: 1000,
      retryDelays: null,
      onChunkComplete: () => void sending.abort().then(() => resolve(String(sending.url))),
      onError: reject,
    });
    sending.start();
  });
  return {
    promise,
    get sending() {
      return sending;
    },
  };
}

describe("limits and rules", async () => {
  const service = await storageService({
    resumable: true,
    scope: "user",
    maxFileSizeBytes: 2000,
    allowedMediaTypes: ["text/plain"],
  });
  const seven = { role: "user", sub: "7" };
  const create7 = (metadata: Record<string, string>, headers: Record<string, string> = {}) =>
    service.send(
      {
        method: "POST",
        path: "/storage/resumable",
        headers: { ...tus, "upload-length": "3", "upload-metadata": encode(metadata), ...headers },
      },
      seven,
    );

  test.each<[string, Record<string, string>, string]>([
    ["another user's folder", { path: "users/70/a.txt" }, "403 PERMISSION_DENIED"],
    ["no path, so that the key is the name", { filename: "a.txt" }, "403 PERMISSION_DENIED"],
    ["no name", { path: "users/7/" }, "400 VALIDATION_ERROR path"],
    ["no metadata that counts", {}, "400 VALIDATION_ERROR"],
    ["dots", { path: "users/7/../70/a.txt" }, "400 VALIDATION_ERROR path"],
    ["a hidden segment", { path: "users/7/.uploads/a.txt" }, "400 VALIDATION_ERROR path"],
    ["a thumbnail", { path: "users/7/.thumbnails/a.jpg/small.jpg" }, "400 VALIDATION_ERROR path"],
    ["a control character", { path: "users/7/a\0.txt" }, "400 VALIDATION_ERROR path"],
    ["an absolute path", { path: "/etc/passwd" }, "400 VALIDATION_ERROR path"],
    [
      "overwrite that is neither true nor false",
      { path: "users/7/a.txt", overwrite: "yes" },
      "400 VALIDATION_ERROR overwrite",
    ],
    ["an unknown field", { path: "users/7/a.txt", filetype: "text/html" }, "400 VALIDATION_ERROR filetype"],
    ["a prototype", { path: "users/7/a.txt", __defineGetter__: "x" }, "400 VALIDATION_ERROR"],
  ])("metadata with %s", async (_, metadata, expected) => {
    await service.place({});
    expect(outcome(await create7(metadata))).toBe(expected);
    expect(await service.leftovers()).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["broken metadata", { "upload-metadata": "path !!!" }, "400 VALIDATION_ERROR"],
    ["a field that is given twice", { "upload-metadata": "path YQ==,path Yg==" }, "400 VALIDATION_ERROR"],
    ["bytes that are not UTF-8", { "upload-metadata": "path /w==" }, "400 VALIDATION_ERROR path"],
    ["a negative length", { "upload-length": "-1" }, "400 VALIDATION_ERROR"],
    ["a length that is not whole", { "upload-length": "1.5" }, "400 VALIDATION_ERROR"],
    ["a file that is too large", { "upload-length": "2001" }, "413 HTTP_ERROR"],
    ["another version of the protocol", { "tus-resumable": "0.2.2" }, "400 VALIDATION_ERROR"],
    ["a part of another upload", { "upload-concat": "partial" }, "501 HTTP_ERROR"],
  ])("%s", async (_, headers, expected) => {
    await service.place({});
    expect(outcome(await create7({ path: "users/7/a.txt" }, headers))).toBe(expected);
    expect(await service.leftovers()).toEqual([]);
  });

  test("a length that is unknown, and a request without the version", async () => {
    await service.place({});
    const headers = {
      "upload-defer-length": "1",
      "upload-metadata": encode({ path: "users/7/a.txt" }),
      ...tus,
    };
    const ask = (sent: Record<string, string>) =>
      service.send({ method: "POST", path: "/storage/resumable", headers: sent }, seven);
    expect(outcome(await ask(headers))).toBe("501 HTTP_ERROR");
    const reply = await ask({ "upload-length": "3" });
    expect([outcome(reply), reply.headers["tus-version"]]).toEqual(["412 HTTP_ERROR", "1.0.0"]);
    expect(await service.leftovers()).toEqual([]);
  });

  test("a type that is not allowed is refused at the end, and nothing stays", async () => {
    await service.place({});
    const path = await create(service, 4, { path: "users/7/a.txt" }, seven);
    const reply = await patch(service, path, 0, Buffer.from("89504e47", "hex"), seven);
    expect(outcome(reply)).toBe("415 HTTP_ERROR");
    expect((await head(service, path, seven)).status).toBe(404);
    expect([await service.files(), await service.leftovers()]).toEqual([{}, []]);
  });

  test("more bytes than announced", async () => {
    await service.place({});
    const path = await create(service, 4, { path: "users/7/a.txt" }, seven);
    expect(outcome(await patch(service, path, 0, "abcde", seven))).toBe("413 HTTP_ERROR");
    expect(outcome(await patch(service, path, 2, "cd", seven))).toBe("409 HTTP_ERROR");
    expect((await head(service, path, seven)).headers["upload-offset"]).toBe("0");
    expect((await patch(service, path, 0, "abcd", seven)).status).toBe(204);
  });

  test("more bytes than announced, without a length of the body, and a compressed body", async () => {
    await service.place({});
    const path = await create(service, 4, { path: "users/7/a.txt" }, seven);
    const send = (headers: Record<string, string>) => {
      const authorization = `Bearer ${tokenOf(seven)}`;
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(Buffer.from("abcde"));
          stream.close();
        },
      });
      return fetch(new URL(path, service.origin), {
        method: "PATCH",
        headers: { ...tus, ...octets, "upload-offset": "0", authorization, ...headers },
        duplex: "half",
        body,
      } as RequestInit);
    };
    expect((await send({})).status).toBe(413);
    expect((await send({ "content-encoding": "gzip" })).status).toBe(415);
    expect(await service.files()).toEqual({});
  });

  test("only the user who began an upload reaches it; administrators neither", async () => {
    await service.place({});
    const path = await create(service, 3, { path: "users/7/a.txt" }, seven);
    for (const as of [{ role: "user", sub: "70" }, "admin"] as const) {
      expect((await head(service, path, as)).status).toBe(404);
      expect(outcome(await patch(service, path, 0, "abc", as))).toBe("404 NOT_FOUND");
      const reply = await service.send({ method: "DELETE", path, headers: tus }, as);
      expect(outcome(reply)).toBe("404 NOT_FOUND");
    }
    expect((await service.send({ method: "HEAD", path, headers: tus })).status).toBe(401);
    expect((await patch(service, path, 0, "abc", seven)).status).toBe(204);
    expect(await service.files()).toEqual({ "users/7/a.txt": "abc" });
  });

  test("a key that the user can no longer access", async () => {
    await service.place({});
    const path = await create(service, 3, { path: "b/a.txt" }, { role: "admin", sub: "7" });
    expect((await head(service, path, seven)).status).toBe(403);
    expect(outcome(await patch(service, path, 0, "ab", seven))).toBe("403 PERMISSION_DENIED");
    const reply = await service.send({ method: "DELETE", path, headers: tus }, seven);
    expect(outcome(reply)).toBe("403 PERMISSION_DENIED");
    expect((await head(service, path, { role: "admin", sub: "7" })).headers["upload-offset"]).toBe("0");
  });

  test("a PATCH without an offset", async () => {
    await service.place({});
    const path = await create(service, 3, { path: "users/7/a.txt" }, seven);
    const request = { method: "PATCH", path, headers: { ...tus, ...octets }, body: Buffer.from("abc") };
    expect(outcome(await service.send(request, seven))).toBe("403 HTTP_ERROR");
  });

  test("an id that is a path, a file of the service or of no upload", async () => {
    await service.place({});
    const path = await create(service, 3, { path: "users/7/a.txt" }, seven);
    const id = path.slice("/storage/resumable/".length);
    // biome-ignore format: many on a line
    const strange = [
      "..%2f..%2fetc%2fpasswd", "..", "%2e%2e", `${id}.json`, `${id}%00`, `..%2f.uploads%2f${id}`, `${id}%2f`, id.slice(0, -1), "users%2f7%2fa.txt",
      `${id.slice(0, 33)}${"0".repeat(36)}`, "x", "%",
    ];
    for (const one of strange) {
      const reply = await patch(service, `/storage/resumable/${one}`, 0, "abc", seven);
      expect([one, reply.status]).toEqual([one, 404]);
    }
    expect(await service.files()).toEqual({});
  });

  test("methods that an override header names are not served", async () => {
    await service.place({});
    const path = await create(service, 3, { path: "users/7/a.txt" }, seven);
    for (const override of ["DELETE", "PATCH"]) {
      const headers = { ...tus, ...octets, "upload-offset": "0", "x-http-method-override": override };
      const reply = await service.send({ method: "POST", path, headers, body: Buffer.from("abc") }, seven);
      expect([reply.status, reply.headers["allow"]]).toEqual([405, "OPTIONS, HEAD, PATCH, DELETE"]);
    }
    for (const method of ["GET", "PUT"])
      expect((await service.send({ method, path, headers: tus }, seven)).status).toBe(405);
    expect((await head(service, path, seven)).headers["upload-offset"]).toBe("0");
  });

  test("DELETE ends an upload", async () => {
    await service.place({});
    const path = await create(service, 3, { path: "users/7/a.txt" }, seven);
    expect((await service.send({ method: "DELETE", path, headers: tus }, seven)).status).toBe(204);
    expect((await head(service, path, seven)).status).toBe(404);
    expect(await service.leftovers()).toEqual([]);
  });

  test("OPTIONS needs no credential", async () => {
    const reply = await service.send({ method: "OPTIONS", path: "/storage/resumable" });
    expect([reply.status, reply.headers["tus-version"], reply.headers["tus-max-size"]]).toEqual([
      204,
      "1.0.0",
      "2000",
    ]);
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("a user has at most 32 unfinished uploads; finished and expired ones do not count", async () => {
    await service.place({});
    const eight = { role: "user", sub: "8" };
    const paths: string[] = [];
    for (let index = 0; index < 32; index++)
      paths.push(await create(service, 3, { path: `users/8/${index}.txt` }, eight));
    const headers = { ...tus, "upload-length": "3", "upload-metadata": encode({ path: "users/8/a.txt" }) };
    const more = () => service.send({ method: "POST", path: "/storage/resumable", headers }, eight);
    const refused = await more();
    expect(outcome(refused)).toBe("429 HTTP_ERROR");
    expect(refused.text).toContain("You have 32 unfinished uploads: finish or delete one.");
    expect(refused.headers["retry-after"]).toBeUndefined();
    await create(service, 3, { path: "users/7/a.txt" }, seven);
    expect((await patch(service, paths[0] ?? "", 0, "abc", eight)).status).toBe(204);
    expect((await more()).status).toBe(201);
    expect((await more()).status).toBe(429);
    await age(service);
    expect((await more()).status).toBe(201);
  });

  test("creations at the same time do not exceed the limit", async () => {
    await service.place({});
    const nine = { role: "user", sub: "9" };
    const headers = { ...tus, "upload-length": "3", "upload-metadata": encode({ path: "users/9/a.txt" }) };
    const begin = () => service.send({ method: "POST", path: "/storage/resumable", headers }, nine);
    const replies = [];
    for (let round = 0; round < 2; round++)
      replies.push(...(await Promise.all(Array.from({ length: 20 }, begin))));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(32);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  });

  test("the files of an unfinished upload can be read only by the service", async () => {
    await service.place({});
    await create(service, 3, { path: "users/7/a.txt" }, seven);
    const names = await service.leftovers();
    expect(names).toHaveLength(2);
    for (const name of names)
      expect((await stat(join(service.root, service.staging, name))).mode & 0o777).toBe(0o600);
  });
});

describe("requests at the same time", async () => {
  const service = await storageService({ resumable: true });

  test("two with all bytes: one stores the file", async () => {
    await service.place({});
    const path = await create(service, 6);
    const replies = await Promise.all(["abcdef", "ABCDEF"].map((text) => patch(service, path, 0, text)));
    expect(replies.map(({ status }) => status)).toContain(204);
    expect(["abcdef", "ABCDEF"]).toContain((await service.files())["a.txt"]);
  });

  /** Sends a PATCH whose body does not end, and waits until its bytes are on the disk. */
  async function sendWithoutEnd(path: string, content: string, signal: AbortSignal | null = null) {
    const headers = { ...tus, ...octets, "upload-offset": "0", authorization: `Bearer ${tokenOf("user")}` };
    const answer = fetch(new URL(path, service.origin), {
      method: "PATCH",
      headers,
      signal,
      duplex: "half",
      body: new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from(content)) }),
    } as RequestInit);
    answer.catch(() => {});
    await expect.poll(() => sizes(service), { timeout: 5000 }).toContain(content.length);
    return { answer };
  }

  test("the next one waits until the client of the first one is gone, and goes on after its bytes", async () => {
    await service.place({});
    const path = await create(service, 6);
    const controller = new AbortController();
    const { answer } = await sendWithoutEnd(path, "abc", controller.signal);
    const waiting = head(service, path);
    controller.abort();
    await expect(answer).rejects.toThrow("aborted");
    expect((await waiting).headers["upload-offset"]).toBe("3");
    expect((await patch(service, path, 3, "def")).status).toBe(204);
    expect(await service.files()).toEqual({ "a.txt": "abcdef" });
  });

  test("those that wait hold no slots of the user", async () => {
    await service.place({});
    const path = await create(service, 6);
    const controller = new AbortController();
    await sendWithoutEnd(path, "abc", controller.signal);
    const waiting = Array.from({ length: 32 }, () => patch(service, path, 3, "d"));
    expect(await create(service, 1, { path: "b.txt" })).toContain("/storage/resumable/");
    controller.abort();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 31 }, () => 409)]);
  });

  test("one that is too slow is 408, and the next one goes on after its bytes", async () => {
    await service.place({});
    const path = await create(service, 6);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { answer } = await sendWithoutEnd(path, "abc");
    await vi.advanceTimersByTimeAsync(31_500);
    expect((await answer).status).toBe(408);
    vi.useRealTimers();
    expect((await head(service, path)).headers["upload-offset"]).toBe("3");
    expect((await patch(service, path, 3, "def")).status).toBe(204);
    expect(await service.files()).toEqual({ "a.txt": "abcdef" });
  });
});

async function sizes({ root, staging }: StorageService): Promise<number[]> {
  const names = await readdir(join(root, staging));
  const states = names.map((name) => stat(join(root, staging, name)));
  return (await Promise.all(states)).map(({ size }) => size);
}

describe("restarts", () => {
  const root = mkdtempSync(join(tmpdir(), "kirak-resumable-"));
  afterFile(() => rmSync(root, { recursive: true, force: true }));
  const settings = { resumable: true, store: { provider: "local", root } as const };
  const started = () => storageService(settings);
  const stored = (path: string) => readFile(join(root, path));

  test("an upload goes on in another process", async () => {
    const content = randomBytes(3000);
    const uploadUrl = await interrupted(await started(), content).promise;
    const next = await started();
    const url = next.origin + new URL(uploadUrl).pathname;
    await upload(next, content, { options: { uploadUrl: url } });
    expect((await stored("a.txt")).equals(content)).toBe(true);
  });

  test("an upload whose process was killed before it was stored ends with its last byte", async () => {
    const service = await started();
    const path = await create(service, 3, { path: "b.txt" });
    const id = path.slice("/storage/resumable/".length);
    await writeFile(join(root, ".uploads", id), "abc");
    expect((await head(service, path)).headers["upload-offset"]).toBe("2");
    expect((await patch(service, path, 2, "c")).status).toBe(204);
    expect(String(await stored("b.txt"))).toBe("abc");
  });
});

test("the address of an upload is below the path of the public address", async () => {
  const service = await storageService({ resumable: true }, { baseUrl: "https://shop.example/api" });
  expect(await create(service, 3)).toMatch(/^\/api\/storage\/resumable\/[0-9a-f-]+$/);
});

test("creations count as uploads, and chunks do not", async () => {
  const limits = { upload: { maxRequests: 2, windowSeconds: 60, per: "user" } } as const;
  const service = await storageService({ resumable: true, limits }, limited({}));
  const content = randomBytes(5000);
  for (const path of ["a.txt", "b.txt"]) await upload(service, content, { metadata: { path } });
  const error: unknown = await upload(service, content).catch((reason: unknown) => reason);
  expect(statusOf(error)).toBe(429);
});

test("pages of other origins read the headers of the protocol", async () => {
  const origin = "https://shop.example";
  const cors = { origins: [origin], allowOriginRegex: null };
  const service = await storageService({ resumable: true }, { cors });
  const headers = { ...tus, origin, "upload-length": "0", "upload-metadata": encode({ path: "a.txt" }) };
  const reply = await service.send({ method: "POST", path: "/storage/resumable", headers }, "user");
  expect(reply.status).toBe(201);
  expect(reply.headers["access-control-allow-origin"]).toBe(origin);
  const exposed = String(reply.headers["access-control-expose-headers"]).split(/, ?/);
  expect(exposed).toEqual(
    expect.arrayContaining(["X-Request-Id", "Location", "Upload-Offset", "X-File-Url"]),
  );
});

test("without the setting, the routes do not exist", async () => {
  const service = await storageService();
  for (const method of ["OPTIONS", "POST"])
    expect((await service.send({ method, path: "/storage/resumable", headers: tus }, "user")).status).toBe(
      404,
    );
});

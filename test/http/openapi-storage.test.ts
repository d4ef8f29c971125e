import { rm, writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { localFilesRoute, storageRoutes } from "#vocabulary/built-in-routes";
import { service as definition } from "../generator/support/definitions.ts";
import { filePart, formOf, type Part } from "../support/multipart.ts";
import { describedBy } from "../support/openapi.ts";
import { pictureFile } from "../support/pictures.ts";
import type { Sent } from "../support/request.ts";
import type { Caller } from "../support/service-token.ts";
import { storageService } from "../support/storage.ts";

const perUser = { origin: "entry", limit: { maxRequests: 9, windowSeconds: 60, per: "user" } } as const;
const unlimited = { origin: "manifest", limit: null } as const;
const storage = {
  slug: "storage",
  servesFiles: true,
  resumable: false,
  limits: { upload: perUser, delete: unlimited, url: unlimited, list: unlimited, move: unlimited },
};
const document = openApiDocument({ ...definition(), storage });
const expectDescribed = describedBy(document);
const service = await storageService({
  scope: "user",
  maxFileSizeBytes: 50_000,
  publicPrefixes: ["public/"],
});
const picky = await storageService({ allowedMediaTypes: ["image/png"] });

beforeEach(() => service.place({ "users/1/a.txt": "abcdef", "public/p.txt": "p" }));

interface Asked {
  readonly send: string;
  readonly status: number;
  readonly form?: readonly Part[];
  readonly body?: Sent["body"];
  readonly headers?: Sent["headers"];
  readonly as?: Caller;
}

async function expectAnswer({ send, status, form, body, headers, as = "user" }: Asked, from = service) {
  const [method = "", path = ""] = send.split(" ");
  const sent = form && formOf(...form);
  const all = { method, path, body: sent?.body ?? body, headers: { ...sent?.headers, ...headers } };
  const reply = await from.send(all, as);
  expect(reply.status, reply.text).toBe(status);
  const pattern = /^\/storage\/files\//.test(path) ? "/storage/files/{path}" : (path.split("?")[0] ?? "");
  expectDescribed(method, pattern, reply);
  return reply;
}

const upload = "POST /storage/upload/file";
const move = "POST /storage/move";
const image = "POST /storage/upload/image";
const into = ["path", "users/1/"] as const;
const file = filePart("a text", "b.txt");
const png = filePart(await pictureFile("png", 40, 30), "c.png");
const sizes = (json: unknown): Part => ["thumbnails", JSON.stringify(json)];

describe("answers of storage are as described", () => {
  test.each<Asked>([
    { send: upload, status: 200, form: [into, file] },
    { send: upload, status: 200, form: [["path", "users/1/a.txt"], ["overwrite", "true"], file] },
    { send: upload, status: 400, form: [into] },
    { send: upload, status: 400, form: [into, ["name", "x"], file] },
    { send: `${upload}?x=1`, status: 400, form: [into, file] },
    { send: upload, status: 401, form: [into, file], as: null },
    { send: upload, status: 401, form: [into, file], headers: { authorization: "Bearer x" } },
    { send: upload, status: 403, form: [["path", "users/2/"], file] },
    { send: upload, status: 409, form: [["path", "users/1/a.txt"], file] },
    { send: upload, status: 413, form: [into, filePart("x".repeat(60_000), "b.txt")] },
    { send: upload, status: 415, headers: { "content-type": "application/json" } },
    { send: image, status: 200, form: [into, png] },
    { send: image, status: 200, form: [into, ["thumbnails", "true"], png] },
    { send: image, status: 200, form: [into, sizes([{ name: "tiny", width: 8 }]), png] },
    { send: image, status: 400, form: [into, sizes([{ name: "tiny" }]), png] },
    { send: image, status: 400, form: [into, file] },
    { send: "GET /storage/url?path=users/1/a.txt", status: 200 },
    { send: "GET /storage/url?path=users/1/a.txt&expires=60", status: 200 },
    { send: "GET /storage/url?path=users/1/a.txt&expires=0", status: 400 },
    { send: "GET /storage/url", status: 400 },
    { send: "GET /storage/url?path=users/2/a.txt", status: 403 },
    { send: "GET /storage/url?path=users/1/none.txt", status: 404 },
    { send: "GET /storage/list", status: 200 },
    { send: "GET /storage/list?prefix=users/1/&after=users/1/0&limit=5000", status: 200 },
    { send: "GET /storage/list?prefix=&limit=1", status: 200, as: "admin" },
    { send: "GET /storage/list?after=", status: 400 },
    { send: "GET /storage/list?prefix=users/2/", status: 403 },
    { send: "DELETE /storage/delete?path=users/1/a.txt", status: 200 },
    { send: "DELETE /storage/delete?path=users/1/a.txt&with_thumbnails=true", status: 200 },
    { send: "DELETE /storage/delete?path=users/1/a.txt&with_thumbnails=1", status: 400 },
    { send: "DELETE /storage/delete?path=users/1/none.txt", status: 404 },
    { send: "DELETE /storage/delete?prefix=users/1/", status: 200 },
    { send: "DELETE /storage/delete?prefix=users/1", status: 400 },
    { send: move, status: 200, body: { from: "users/1/a.txt", to: "users/1/b.txt" } },
    { send: move, status: 200, body: { from: "users/1/a.txt", to: "users/1/b.txt", overwrite: true } },
    { send: move, status: 400, body: { from: "users/1/a.txt" } },
    { send: move, status: 403, body: { from: "users/1/a.txt", to: "users/2/a.txt" } },
    { send: move, status: 404, body: { from: "users/1/none.txt", to: "users/1/b.txt" } },
    { send: move, status: 409, body: { from: "public/p.txt", to: "users/1/a.txt" }, as: "admin" },
    { send: "GET /storage/files/public/p.txt", status: 200, as: null },
    { send: "GET /storage/files/public%2Fp.txt", status: 200, as: null },
    { send: "GET /storage/files/public/p.txt", status: 206, headers: { range: "bytes=0-0" } },
    { send: "GET /storage/files/public/p.txt", status: 304, headers: { "if-none-match": "*" } },
    { send: "GET /storage/files/public/p.txt", status: 412, headers: { "if-match": '"x"' } },
    { send: "GET /storage/files/public/p.txt", status: 416, headers: { range: "bytes=9-" } },
    { send: "GET /storage/files/users/1/a.txt", status: 403, as: null },
    { send: "GET /storage/files/public/none.txt", status: 404, as: null },
  ])("$status $send", async (asked) => {
    await expectAnswer(asked);
  });

  test("a type that is not allowed", async () => {
    await expectAnswer({ send: upload, status: 415, form: [file] }, picky);
  });

  test("a page with `next`", async () => {
    await service.place({ "users/1/a.txt": "a", "users/1/b.txt": "b" });
    const { envelope } = await expectAnswer({ send: "GET /storage/list?limit=1", status: 200 });
    expect(envelope.data).toMatchObject({ next: "users/1/a.txt" });
  });

  test("a disk that fails", async () => {
    await rm(service.root, { recursive: true, force: true });
    await writeFile(service.root, "no folder");
    await expectAnswer({ send: upload, status: 500, form: [into, file] });
    await rm(service.root);
  });
});

describe("the document of storage", () => {
  const operations = Object.entries(document.paths).filter(([path]) => path.startsWith("/storage/"));

  test("has each route that is mounted", () => {
    const rows = [...storageRoutes, localFilesRoute];
    expect(operations.map(([path]) => path)).toEqual(rows.map(({ path }) => `/storage${path}`));
  });

  test("has no route of files where another service sends them, and none without the module", () => {
    const s3 = openApiDocument({ ...definition(), storage: { ...storage, servesFiles: false } });
    expect(Object.keys(s3.paths)).not.toContain("/storage/files/{path}");
    expect(Object.keys(openApiDocument(definition()).paths).join()).not.toContain("storage");
  });

  test("follows the slug and the limits", () => {
    const { paths } = openApiDocument({ ...definition(), storage: { ...storage, slug: "media" } });
    const post = paths["/media/upload/file"]?.post;
    expect(post?.["x-kirak-limit"]).toEqual({ max_requests: 9, window_seconds: 60, per: "user" });
    expect(post?.responses).toHaveProperty("429");
    expect(paths["/media/list"]?.get).not.toHaveProperty("x-kirak-limit");
    expect(paths["/media/list"]?.get?.responses).not.toHaveProperty("429");
  });
});

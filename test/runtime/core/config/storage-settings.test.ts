import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { configFolder, type Variables } from "../../../support/config-folder.ts";

const { root, ...folder } = configFolder();
type Settings = readonly [storage: object, environment?: Variables, manifest?: object];
const manifestOf = ([storage, , manifest = { modules: ["storage"] }]: Settings) => ({ ...manifest, storage });
const read = (...settings: Settings) => folder.read(manifestOf(settings), settings[1]).storage;
const problemsOf = (...settings: Settings) => folder.problemsOf(manifestOf(settings), settings[1]);

const s3 = { provider: "s3", bucket: "files" };

test("the module is off unless `modules` names it", () => {
  expect(read({ slug: "files" }, {}, {})).toBeNull();
  expect(read({ ...s3, bucket: undefined }, {}, { modules: ["monitoring"] })).toBeNull();
});

test("the defaults of the section", () => {
  // biome-ignore format: many a line
  expect(read({})).toEqual({
    store: { provider: "local", root: join(root, "var/kirak/storage") }, slug: "storage",
    maxFileSizeBytes: 25 * 1024 * 1024, allowedMediaTypes: null, urlTtlSeconds: 3600, publicPrefixes: [],
    publicBaseUrl: null, scope: "shared",
    thumbnails: [
      { name: "small", width: 150, height: 150 }, { name: "medium", width: 400, height: 400 },
      { name: "large", width: 800, height: 800 },
    ],
    maxPixels: 40_000_000, resumable: false, limits: {},
  });
});

test("the values of the section", () => {
  // biome-ignore format: many a line
  const storage = {
    root: "/srv/files", slug: "files", max_file_size_bytes: 1000,
    allowed_mime_types: ["image/*", "application/pdf"], url_ttl_seconds: 60,
    public_prefixes: ["covers/", "caf\u0065\u0301s/b/"], public_base_url: "https://cdn.example/files//",
    scope: "user", thumbnails: [{ name: "wide", width: 1200 }], max_pixels: 1_000_000, resumable: true,
  };
  // biome-ignore format: many a line
  expect(read(storage)).toMatchObject({
    store: { provider: "local", root: "/srv/files" }, slug: "files", maxFileSizeBytes: 1000,
    allowedMediaTypes: ["image/*", "application/pdf"], urlTtlSeconds: 60,
    publicPrefixes: ["covers/", "caf\u00e9s/b/"], publicBaseUrl: "https://cdn.example/files", scope: "user",
    thumbnails: [{ name: "wide", width: 1200 }], maxPixels: 1_000_000, resumable: true,
  });
});

test("the environment sets keys in its place", () => {
  const environment = {
    SERVICE_SET_STORAGE__SCOPE: "user",
    SERVICE_SET_STORAGE__ROOT: "/data",
    SERVICE_SET_STORAGE__MAX_FILE_SIZE_BYTES: "7",
    SERVICE_SET_STORAGE__PUBLIC_PREFIXES: '["covers/"]',
  };
  expect(read({ scope: "shared", root: "files" }, environment)).toMatchObject({
    store: { root: "/data" },
    scope: "user",
    maxFileSizeBytes: 7,
    publicPrefixes: ["covers/"],
  });
});

describe("S3", () => {
  test("a bucket, and all else as the SDK finds it", () => {
    // biome-ignore format: many a line
    expect(read(s3)?.store).toEqual({
      provider: "s3", bucket: "files", region: null, endpoint: null, forcePathStyle: false, credentials: null,
      stagingFolder: join(root, "var/kirak/uploads"),
    });
  });

  test("a store of another vendor, with credentials that cannot appear in a log", () => {
    const storage = { ...s3, region: "eu", endpoint: "https://s3.example", force_path_style: true };
    const settings = read(storage, {
      SERVICE_STORAGE_ACCESS_KEY_ID: "key-id",
      SERVICE_STORAGE_SECRET_ACCESS_KEY: "s3cr3t",
    });
    expect(settings?.store).toMatchObject({
      region: "eu",
      endpoint: "https://s3.example",
      forcePathStyle: true,
    });
    const credentials = settings?.store.provider === "s3" ? settings.store.credentials : null;
    expect(credentials?.accessKeyId).toBe("key-id");
    expect(credentials?.secretAccessKey.export().toString()).toBe("s3cr3t");
    expect(inspect(settings, { depth: 10 }) + JSON.stringify(settings)).not.toContain("s3cr3t");
  });

  // biome-ignore format: one case a line
  test.each<[string, object, Variables, string]>([
    ["no bucket", { provider: "s3" }, {}, 'storage.bucket is missing, and storage.provider "s3" needs it'],
    ["half of the credentials", s3, { SERVICE_STORAGE_ACCESS_KEY_ID: "x" },
      "SERVICE_STORAGE_SECRET_ACCESS_KEY is not set, and SERVICE_STORAGE_ACCESS_KEY_ID is"],
    ["the other half", s3, { SERVICE_STORAGE_SECRET_ACCESS_KEY: "x", SERVICE_STORAGE_ACCESS_KEY_ID: "" },
      "SERVICE_STORAGE_ACCESS_KEY_ID is not set, and SERVICE_STORAGE_SECRET_ACCESS_KEY is"],
  ])("%s", (_, storage, environment, problem) => {
    expect(problemsOf(storage, environment)).toEqual([problem]);
  });
});

describe("limits", () => {
  const flat = { max_requests: 5, window_seconds: 60 };
  const limit = { maxRequests: 5, windowSeconds: 60, per: "ip" };

  // biome-ignore format: one case a line
  test.each<[string, object, object]>([
    ["one for all", flat, { upload: limit, delete: limit, url: limit, list: limit, move: limit }],
    ["one each", { upload: { ...flat, per: "user" }, list: { ...flat, per: "model" } },
      { upload: { ...limit, per: "user" }, list: { ...limit, per: "model" } }],
    ["a default for the rest", { upload: { enabled: false }, default: flat }, { delete: limit, url: limit, list: limit, move: limit }],
    ["switched off", { enabled: false, ...flat }, {}],
    ["nothing said", {}, {}],
    ["nothing said but that it is on", { enabled: true }, {}],
  ])("%s", (_, rate_limit, limits) => {
    expect(read({ rate_limit })?.limits).toEqual(limits);
  });

  test.each<[string, object, readonly string[]]>([
    ["mixed", { per: "user", upload: flat }, ["storage.rate_limit has per next to entries of operations"]],
    ["no window", { max_requests: 5 }, ["storage.rate_limit lacks window_seconds"]],
    ["no number", { default: { window_seconds: 5 } }, ["storage.rate_limit.default lacks max_requests"]],
    ["neither", { per: "user" }, ["storage.rate_limit lacks max_requests and window_seconds"]],
    ["an empty entry", { url: {} }, ["storage.rate_limit.url lacks max_requests and window_seconds"]],
  ])("%s", (_, rate_limit, problems) => {
    expect(problemsOf({ rate_limit })).toEqual(problems);
  });
});

describe("values that the schema refuses", () => {
  // biome-ignore format: one case a line
  test.each<[object, RegExp]>([
    [{ provider: "ftp" }, /storage\.provider/],
    [{ slug: "a/b" }, /storage\.slug/],
    [{ slug: "" }, /storage\.slug/],
    [{ max_file_size_bytes: 0 }, /storage\.max_file_size_bytes/],
    [{ allowed_mime_types: ["image"] }, /storage\.allowed_mime_types/],
    [{ allowed_mime_types: ["*/*"] }, /storage\.allowed_mime_types/],
    [{ url_ttl_seconds: 604_801 }, /storage\.url_ttl_seconds/],
    [{ url_ttl_seconds: 0 }, /storage\.url_ttl_seconds/],
    [{ public_prefixes: ["covers"] }, /storage\.public_prefixes/],
    [{ public_prefixes: ["/"] }, /storage\.public_prefixes/],
    [{ public_prefixes: ["/covers/"] }, /storage\.public_prefixes/],
    [{ public_prefixes: ["a/../b/"] }, /storage\.public_prefixes/],
    [{ public_base_url: "cdn.example" }, /storage\.public_base_url/],
    [{ endpoint: "https://s3.example/path" }, /storage\.endpoint/],
    [{ scope: "all" }, /storage\.scope/],
    [{ thumbnails: [{ name: "Big", width: 1 }] }, /storage\.thumbnails/],
    [{ thumbnails: [{ name: "big", width: 4097 }] }, /storage\.thumbnails/],
    [{ thumbnails: [{ name: "big" }] }, /storage\.thumbnails/],
    [{ thumbnails: Array.from({ length: 11 }, (_, at) => ({ name: `t${at}`, width: 9 })) }, /storage\.thumbnails/],
    [{ max_pixels: 0 }, /storage\.max_pixels/],
    [{ rate_limit: { fetch: {} } }, /storage\.rate_limit/],
    [{ access_key_id: "x" }, /storage\.access_key_id/],
  ])("%j", (storage, problem) => {
    expect(problemsOf(storage).join("\n")).toMatch(problem);
  });

  test("a name of a thumbnail twice", () => {
    const thumbnails = [
      { name: "a", width: 1 },
      { name: "a", height: 2 },
    ];
    expect(problemsOf({ thumbnails })).toEqual(['storage.thumbnails: the name "a" is used twice']);
  });
});

test.each(["admin", "auth", "graphql", "healthz", "Monitoring"])(
  "the slug %s is in the way of something else",
  (slug) => {
    expect(() => read({ slug })).toThrow(/storage\.slug conflicts with the routes below \//);
  },
);

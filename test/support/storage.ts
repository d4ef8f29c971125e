import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { StorageSettings } from "#runtime/core/config/index";
import { afterFile } from "./after-file.ts";
import { eventually } from "./eventually.ts";
import { type Reply, sendRequest } from "./request.ts";
import { perform, type Scenario } from "./scenarios.ts";
import { type Peers, type Settings, type TestService, testService } from "./service.ts";

/** The fixture's service with the storage module, and its files in a folder of its own, unless the settings name another store. */
export interface StorageService extends TestService {
  readonly root: string;
  /** Where uploads lie until they are stored: a path in `root`. */
  readonly staging: string;
  /** Contents by path: all files that there are, thumbnails too, without what is under way. */
  files(): Promise<Record<string, string>>;
  /** Removes all files, and then writes these past the service. */
  place(files: Readonly<Record<string, string>>): Promise<void>;
  /** The content of a file. Rejects if it does not exist. */
  read(path: string): Promise<Buffer>;
  /** What is under way: nothing when all requests are answered. */
  leftovers(): Promise<string[]>;
  /** The file behind a link, requested without a credential. */
  follow(url: string): Promise<Reply>;
  /** Where the files are that need no signature; others have the same address with one. */
  readonly address: string;
  /** What a signature looks like in a link. */
  readonly signature: RegExp;
}

/** The link of a file that ends, for `toEqual`. */
export function signedLink({ address, signature }: StorageService, path: string): unknown {
  const begin = `${address}/${encoded(path)}?`;
  return expect.toSatisfy(
    (url) => typeof url === "string" && url.startsWith(begin) && signature.test(url.slice(begin.length)),
    `begins with ${begin} and is signed`,
  );
}

/** The link of a public file. */
export function publicLink({ address }: StorageService, path: string): string {
  return `${address}/${encoded(path)}`;
}

/** When a link ends, in seconds since 1970. */
export function endOf(url: string): number {
  const query = new URL(url).searchParams;
  const signed = /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/.exec(query.get("X-Amz-Date") ?? "");
  if (signed === null) return Number(query.get("expires"));
  const [, year, month, hour, minute, second] = signed;
  return (
    Date.parse(`${year}-${month}-${hour}:${minute}:${second}`) / 1000 + Number(query.get("X-Amz-Expires"))
  );
}

const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/");

/** What holds where the manifest says nothing but `"modules": ["storage"]`. */
const unset: Omit<StorageSettings, "store"> = {
  slug: "storage",
  maxFileSizeBytes: 26_214_400,
  allowedMediaTypes: null,
  urlTtlSeconds: 3600,
  publicPrefixes: [],
  publicBaseUrl: null,
  scope: "shared",
  thumbnails: [{ name: "small", width: 150, height: 150 }],
  maxPixels: 40_000_000,
  resumable: false,
  limits: {},
};

/** Both are closed, and the files removed, after the test file. */
export async function storageService(
  storage: Partial<StorageSettings> = {},
  settings: Settings = {},
  peers: Peers = {},
): Promise<StorageService> {
  const root = mkdtempSync(join(tmpdir(), "kirak-storage-"));
  afterFile(() => rmSync(root, { recursive: true, force: true }));
  const store = { provider: "local", root } as const;
  const service = await testService({ ...settings, storage: { ...unset, store, ...storage } }, peers);
  return {
    ...service,
    root,
    staging: ".uploads",
    address: `${service.config.baseUrl}/${storage.slug ?? unset.slug}/files`,
    signature: /^expires=\d+&signature=[0-9a-f]{64}$/,
    async files() {
      // The folder is made when something is stored.
      const entries = existsSync(root) ? await readdir(root, { recursive: true, withFileTypes: true }) : [];
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((path) => !path.startsWith(".uploads/"))
        .sort();
      const contents = paths.map(async (path) => [path, await readFile(join(root, path), "utf8")] as const);
      return Object.fromEntries(await Promise.all(contents));
    },
    async place(files) {
      await rm(root, { recursive: true, force: true });
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      }
    },
    read: (path) => readFile(join(root, path)),
    leftovers: () => readdir(join(root, ".uploads")).catch(() => []),
    follow(url) {
      const { origin, pathname, search } = new URL(url);
      const to = origin === service.config.baseUrl ? service.origin : origin;
      return sendRequest(to, { method: "GET", path: pathname + search });
    },
  };
}

/** A request, the files that are there before it, and those that it leaves; default the same. */
export interface FileScenario extends Scenario {
  readonly files?: Readonly<Record<string, string>>;
  readonly leaves?: Readonly<Record<string, string>>;
}

/** Declares a test for each scenario. Each has database and files for itself. */
export function fileScenarios(service: StorageService, list: readonly FileScenario[]): void {
  const titled = list.map(
    (scenario) => [(scenario.name ?? scenario.send).replaceAll("%", "%%"), scenario] as const,
  );
  test.each(titled)("%s", async (_, scenario) => {
    await performWithFiles(service, scenario);
  });
}

/** Performs a scenario with its files. */
export async function performWithFiles(service: StorageService, scenario: FileScenario) {
  const { files = {}, leaves = files } = scenario;
  await service.place(files);
  const reply = await perform(service, scenario);
  const check = async () => expect(await service.files()).toEqual(leaves);
  // What hooks have removed may go on for a while behind the answer.
  await (scenario.plays === undefined ? check() : eventually(check));
  return reply;
}

/** Settings of a storage that has the least of everything: a test says what it is about. */
export const leastStorageSettings: StorageSettings = {
  store: { provider: "local", root: "/nowhere" },
  slug: "storage",
  maxFileSizeBytes: 1,
  allowedMediaTypes: null,
  urlTtlSeconds: 1,
  publicPrefixes: [],
  publicBaseUrl: null,
  scope: "shared",
  thumbnails: [],
  maxPixels: 1,
  resumable: false,
  limits: {},
};

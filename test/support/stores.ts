import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { promises as disk, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { S3StorageSettings } from "#runtime/core/config/index";
import { type FileKey, readFileKey, type StoredKey } from "#runtime/modules/storage/keys/file-key";
import type { FileStore, StagedFile } from "#runtime/modules/storage/stores/file-store";
import { LinkSignatures, LocalStore } from "#runtime/modules/storage/stores/local/local-store";
import { S3Store, type S3StoreOptions } from "#runtime/modules/storage/stores/s3/s3-store";
import { afterFile } from "./after-file.ts";
import { type TestS3, testS3 } from "./s3/s3-server.ts";

/** A store with what tests do to it. */
export interface StoreUnderTest {
  readonly store: FileStore;
  /** A file in the staging folder. */
  stage(content: string | Buffer, mediaType?: string): Promise<StagedFile>;
  put(key: StoredKey, content?: string, overwrite?: boolean): Promise<void>;
  /** Null where there is no such file. */
  read(key: StoredKey): Promise<string | null>;
  /** Keys, and `…` where more follow. */
  list(prefix?: string, after?: string, limit?: number): Promise<string[]>;
  /** Puts a file there by another way, at a path that need not be a key. */
  place(path: string, content?: string | Buffer): Promise<void>;
  /** Makes the store fail to remove a file, until the test is over. */
  keep(path: string): void;
  /** Staged files, and uploads in parts that are under way. */
  leftovers(): Promise<string[]>;
}

/** A key as a test writes it. */
export function fileKey(text: string): FileKey {
  const key = readFileKey(text);
  if (key === null) throw new Error(`${text} is no key`);
  return key;
}

/** A folder until the test file is over. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A store on the disk, and its folder. */
export interface LocalUnderTest extends StoreUnderTest {
  readonly store: LocalStore;
  readonly root: string;
  /** Paths of all files and folders, without the staging folder. */
  tree(): Promise<string[]>;
}

/** A store of its own on the disk, in a folder that need not be there yet. */
export async function localUnderTest(root?: string): Promise<LocalUnderTest> {
  const folder = root ?? join(await testFolder(), "deep", "root");
  const signatures = new LinkSignatures([createSecretKey(randomBytes(32))]);
  const store = new LocalStore({ root: folder, address: "https://shop.example/storage", signatures });
  return {
    ...handlesOf(store),
    store,
    root: folder,
    async place(path, content = path) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    async read(key) {
      const file = await store.get(key);
      return file === null ? null : text(file.content);
    },
    keep(kept) {
      const { unlink } = disk;
      const refuses = (path: unknown) => String(path).endsWith(`/${kept}`);
      replaceOnDisk({
        unlink: (path) => (refuses(path) ? Promise.reject(systemError("EPERM")) : unlink(path)),
      });
    },
    leftovers: () => namesIn(store.stagingFolder),
    async tree() {
      const paths = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
      return paths.filter((path) => !path.startsWith(".uploads")).sort();
    },
  };
}

/** A store in S3, and its server, which fails on demand. */
export interface S3UnderTest extends StoreUnderTest {
  readonly s3: TestS3;
  /** Another store with the same bucket. */
  also(options: Omit<S3StoreOptions, "settings">): S3UnderTest;
}

/** A store with a bucket of its own. */
export async function s3UnderTest(
  options: Omit<S3StoreOptions, "settings"> = {},
  settings: Partial<S3StorageSettings> = {},
): Promise<S3UnderTest> {
  const s3 = await testS3();
  return storeIn(s3, { ...s3.settings(await testFolder()), ...settings }, options);
}

function storeIn(
  s3: TestS3,
  settings: S3StorageSettings,
  options: Omit<S3StoreOptions, "settings">,
): S3UnderTest {
  const store = new S3Store({ settings, ...options });
  return {
    s3,
    also: (others) => storeIn(s3, settings, others),
    ...handlesOf(store),
    async place(path, content) {
      s3.place(path, content);
    },
    read: async (key) => s3.objects.get(key)?.content.toString() ?? null,
    keep: (path) => void s3.kept.add(path),
    async leftovers() {
      return [...s3.uploads.keys(), ...(await namesIn(settings.stagingFolder))];
    },
  };
}

function handlesOf(store: FileStore): Omit<StoreUnderTest, "place" | "leftovers" | "read" | "keep"> {
  const stage = async (content: string | Buffer, mediaType = "text/plain") => {
    const path = join(store.stagingFolder, randomUUID());
    await mkdir(store.stagingFolder, { recursive: true });
    await writeFile(path, content);
    return { path, size: Buffer.byteLength(content), mediaType };
  };
  return {
    store,
    stage,
    async put(key, content = key, overwrite = false) {
      const file = await stage(content);
      // As its owner does.
      await store.put(key, file, { overwrite }).finally(() => rm(file.path, { force: true }));
    },
    async list(prefix = "", after = "", limit = 1000) {
      const { files, more } = await store.list({ prefix, after, limit });
      return [...files.map((file) => file.key), ...(more ? ["…"] : [])];
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/** Puts other functions in the place of those of `node:fs/promises`, in all modules, until the test is over. */
export function replaceOnDisk(functions: Partial<typeof disk>): void {
  const before = { ...disk };
  Object.assign(disk, functions);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(disk, before);
    syncBuiltinESMExports();
  });
}

/** What the system rejects a call with. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: refused by the test`), { code });
}

/** A disk on which no file has a second name. */
export function withoutHardLinks(code = "EPERM"): void {
  replaceOnDisk({ link: () => Promise.reject(systemError(code)) });
}

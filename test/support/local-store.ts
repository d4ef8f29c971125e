import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type FileKey, readFileKey } from "../../runtime/storage/keys/file-key.ts";
import type { StoredKey } from "../../runtime/storage/stores/file-store.ts";
import { LinkSignatures } from "../../runtime/storage/stores/local/link-signatures.ts";
import { LocalStore } from "../../runtime/storage/stores/local/local-store.ts";

/** A key that is one. */
export function fileKey(text: string): FileKey {
  const read = readFileKey(text);
  if (read === null) throw new Error(`${text} is no key`);
  return read;
}

/** An empty folder, removed after the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in a folder that is not there yet, and ways around it. */
export async function testLocalStore(root?: string) {
  const folder = root ?? join(await testFolder(), "deep", "root");
  const signatures = new LinkSignatures(createSecretKey(randomBytes(32)));
  const store = new LocalStore({ root: folder, address: "https://shop.example/storage", signatures });
  const stage = async (content: string) => {
    const path = join(store.stagingFolder, randomUUID());
    await mkdir(store.stagingFolder, { recursive: true });
    await writeFile(path, content);
    return { path, size: Buffer.byteLength(content), mediaType: "text/plain" };
  };
  return {
    root: folder,
    store,
    signatures,
    stage,
    /** Stores a content. */
    put: async (at: StoredKey, content = "content", overwrite = false) =>
      store.put(at, await stage(content), { overwrite }),
    /** Null where there is no such file. */
    read: async (at: StoredKey) => {
      const file = await store.get(at);
      return file === null ? null : text(file.content);
    },
    /** Puts a file there past the store. */
    write: async (path: string, content: string | Buffer = "content") => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    /** Paths of all files and folders, without the staging folder. */
    tree: async () =>
      existsSync(folder)
        ? (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith(".uploads")).sort()
        : [],
    /** Keys of a page, and "…" where more follow. */
    list: async (prefix = "", after = "", limit = 1000) => {
      const { files, more } = await store.list({ prefix, after, limit });
      return [...files.map((file): string => file.key), ...(more ? ["…"] : [])];
    },
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorageSettings } from "#runtime/core/config/index";
import { afterFile } from "./after-file.ts";
import { testS3 } from "./s3/s3-server.ts";
import type { Peers, Settings } from "./service.ts";
import { type StorageService, storageService } from "./storage.ts";

/** The same with its files in the bucket of an S3 server. `root` is where uploads lie until they are sent. */
export async function storageInS3(
  storage: Partial<Omit<StorageSettings, "store">> = {},
  settings: Settings = {},
  peers: Peers = {},
): Promise<StorageService> {
  const root = mkdtempSync(join(tmpdir(), "kirak-staging-"));
  afterFile(() => rmSync(root, { recursive: true, force: true }));
  const s3 = await testS3();
  s3.publicPrefixes = storage.publicPrefixes ?? [];
  const service = await storageService({ ...storage, store: s3.settings(root) }, settings, peers);
  const names = () => [...s3.objects.keys()].sort();
  return {
    ...service,
    root,
    staging: "",
    address: `${s3.endpoint}/${s3.bucket}`,
    signature: /&X-Amz-Algorithm=AWS4-HMAC-SHA256&.*&X-Amz-Signature=[0-9a-f]{64}$/,
    files: async () =>
      Object.fromEntries(names().map((name) => [name, String(s3.objects.get(name)?.content)])),
    async place(files) {
      s3.objects.clear();
      for (const [path, content] of Object.entries(files)) s3.place(path, content);
    },
    async read(path) {
      const found = s3.objects.get(path);
      if (found === undefined) throw new Error(`there is no ${path}`);
      return found.content;
    },
    leftovers: async () => [...s3.uploads.keys(), ...(await readdir(root).catch(() => []))],
  };
}

/** Where files can be kept, for `describe.each(storageProviders)("on $name", …)`: `start` starts a service with files of its own there. */
export const storageProviders: readonly { readonly name: string; readonly start: typeof storageInS3 }[] = [
  { name: "a disk", start: storageService },
  { name: "S3", start: storageInS3 },
];

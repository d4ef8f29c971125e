import { linkLifetime } from "../../vocabulary/storage.ts";
import type { Transaction } from "../database/index.ts";
import { invalid } from "../errors/index.ts";
import type { StorageForHooks } from "../hooks/index.ts";
import { linkTo } from "./files/file-links.ts";
import { removeFile } from "./files/remove-file.ts";
import type { StorageServices } from "./files/storage-services.ts";
import { type FileKey, keyRules, readFileKey } from "./keys/file-key.ts";
import { isThumbnailKey } from "./keys/thumbnail-key.ts";

/** A removal that a transaction has to be followed by, unless a file is put in its place. */
interface Removal {
  wanted: boolean;
}

/** The storage module in hooks (decisions, part 10). */
export function hookStorage(services: StorageServices): StorageForHooks {
  const removals = new WeakMap<Transaction, Map<FileKey, Removal>>();
  const removalsOf = (transaction: Transaction) => {
    const known = removals.get(transaction) ?? new Map<FileKey, Removal>();
    removals.set(transaction, known);
    return known;
  };
  return (transaction) => ({
    put: async () => {
      throw new Error("to come");
    },
    url: async (path, { expires } = {}) => {
      requireLifetime(expires);
      return linkTo(services, isThumbnailKey(path) ? path : requireKey(path), expires);
    },
    async remove(path, { with_thumbnails: withThumbnails = false } = {}) {
      const key = requireKey(path);
      if (transaction === null) return void (await removeFile(services, key, { withThumbnails }));
      const removal = { wanted: true };
      removalsOf(transaction).set(key, removal);
      transaction.afterCommit(async () => {
        if (removal.wanted) await removeFile(services, key, { withThumbnails });
      });
    },
  });
}

function requireKey(path: string): FileKey {
  const key = readFileKey(path);
  if (key === null) throw invalid([{ field: "path", message: keyRules }]);
  return key;
}

function requireLifetime(expires: number | undefined): void {
  const { min, max } = linkLifetime;
  if (expires === undefined || (Number.isInteger(expires) && expires >= min && expires <= max)) return;
  throw invalid([{ field: "expires", message: `must be a whole number from ${min} to ${max}` }]);
}

/** Storage in the hooks of a service whose module is off: what it takes to switch it on is for the log. */
export const noStorage: StorageForHooks = () => ({ put: refuse, url: refuse, remove: refuse });

async function refuse(): Promise<never> {
  throw new Error(
    'storage is off: set "modules": ["storage"] in models/manifest.json, with a section "storage" (docs/storage.md)',
  );
}

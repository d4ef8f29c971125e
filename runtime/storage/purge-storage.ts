import { createSecretKey, randomBytes } from "node:crypto";
import type { StorageSettings } from "../config/index.ts";
import { createStore } from "./stores/create-store.ts";

const dayMs = 86_400_000;

/**
 * Removes what uploads and changes left behind more than a day ago (decisions, part 10). Tells how much that was: temporary files, and
 * on S3 uploads that were never completed.
 */
export async function purgeStorage(settings: StorageSettings, now: Date): Promise<number> {
  // A purge makes no links.
  const store = createStore({ settings, address: "", secret: createSecretKey(randomBytes(32)) });
  return store.purge(new Date(now.getTime() - dayMs));
}

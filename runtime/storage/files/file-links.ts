import { encodeKey } from "../keys/encode-key.ts";
import { isPublic } from "../keys/public-keys.ts";
import { ofStore } from "../storage-error.ts";
import type { StoredKey } from "../stores/file-store.ts";
import type { StorageServices } from "./storage-services.ts";

/** The link to a file: without a signature below a public prefix, else one that lasts for so many seconds. */
export async function linkTo(
  { settings, store }: StorageServices,
  key: StoredKey,
  expiresSeconds: number = settings.urlTtlSeconds,
): Promise<string> {
  if (!isPublic(key, settings.publicPrefixes)) return ofStore(store.sign(key, expiresSeconds));
  const base = settings.publicBaseUrl ?? (await ofStore(store.publicBaseUrl()));
  return `${base}/${encodeKey(key)}`;
}

import { encodeKey } from "../keys/file-key.ts";
import { isPublic } from "../keys/key-reach.ts";
import { ofStore } from "../storage-error.ts";
import type { ListRequest, StoredKey } from "../stores/file-store.ts";
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

/** One page of files, each with a link, and the key after which the next page begins. */
interface LinkedPage {
  readonly files: readonly { readonly path: string; readonly size: number; readonly url: string }[];
  /** Only where more follow. */
  readonly next?: string;
}

/** Files by their keys, a page at a time. */
export async function listFiles(services: StorageServices, request: ListRequest): Promise<LinkedPage> {
  const { files, more } = await ofStore(services.store.list(request));
  const linked = files.map(async ({ key, size }) => ({ path: key, size, url: await linkTo(services, key) }));
  const last = files.at(-1);
  return { files: await Promise.all(linked), ...(more && last !== undefined && { next: last.key }) };
}

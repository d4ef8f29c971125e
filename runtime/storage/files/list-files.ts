import { ofStore } from "../storage-error.ts";
import type { ListRequest } from "../stores/file-store.ts";
import { linkTo } from "./file-links.ts";
import type { StorageServices } from "./storage-services.ts";

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

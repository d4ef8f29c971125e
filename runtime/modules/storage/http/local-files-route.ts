import type { RequestHandler } from "express";
import { localFilesRoute as listed } from "../../../../vocabulary/built-in-routes.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { methodNotAllowed, splitUrl } from "../../../core/http/index.ts";
import { readStoredKey, type StoredKey } from "../keys/file-key.ts";
import { isPublic } from "../keys/key-reach.ts";
import type { LinkCheck, ServedStore } from "../stores/file-store.ts";
import { sendFile } from "./send-file.ts";

const folder = "/files/";

/** Serves local files by link, without credentials (docs/storage.md#links). Prefixes end with a slash. */
export function localFilesRoute(store: ServedStore, publicPrefixes: readonly string[]): RequestHandler {
  return async (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    if (!path.startsWith(folder)) return next();
    request.context.route = request.baseUrl + listed.path;
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    response.setHeader("Cache-Control", "no-store");
    const key = keyOf(path.slice(folder.length));
    const isOpen = key !== null && isPublic(key, publicPrefixes);
    // Without a valid link, callers must not learn which files exist.
    if (key === null || !(isOpen || isSigned(key, query, store.links)))
      throw new ServiceError("PERMISSION_DENIED", "The link is not valid, or has expired.");
    const cacheControl = isOpen ? "public, no-cache" : "private, no-cache";
    await sendFile({ key, request, response, store, cacheControl });
  };
}

/** The key in a path; null if it is invalid. */
function keyOf(path: string): StoredKey | null {
  try {
    return readStoredKey(decodeURIComponent(path));
  } catch {
    return null;
  }
}

function isSigned(key: StoredKey, query: string, links: LinkCheck): boolean {
  const parameters = new URLSearchParams(query);
  const [expires = "", ...moreExpiries] = parameters.getAll("expires");
  const [signature = "", ...moreSignatures] = parameters.getAll("signature");
  return (
    moreExpiries.length + moreSignatures.length === 0 &&
    /^[1-9]\d{0,12}$/.test(expires) &&
    /^[0-9a-f]{64}$/.test(signature) &&
    links.accepts(key, Number(expires), signature) &&
    Date.now() < Number(expires) * 1000
  );
}

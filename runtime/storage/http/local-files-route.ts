import type { Request, RequestHandler, Response } from "express";
import { localFilesRoute as listed } from "../../../vocabulary/built-in-routes.ts";
import { ServiceError } from "../../errors/index.ts";
import { methodNotAllowed, splitUrl } from "../../http/index.ts";
import { isPublic } from "../keys/key-reach.ts";
import { readStoredKey, type StoredKey } from "../keys/stored-key.ts";
import type { LinkCheck } from "../stores/file-store.ts";
import { type ReadableStore, sendFile } from "./send-file.ts";

export interface LocalFilesOptions {
  readonly store: ReadableStore;
  readonly links: LinkCheck;
  /** Each ends with a slash. */
  readonly publicPrefixes: readonly string[];
}

const folder = "/files/";

/** Serves local files below the slug to whoever has a link: no credential is read (docs/storage.md#links). */
export function localFilesRoute(options: LocalFilesOptions): RequestHandler {
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    if (!path.startsWith(folder)) return next();
    request.context.route = request.baseUrl + listed.path;
    serve(path.slice(folder.length), query, request, response, options).catch(next);
  };
}

async function serve(
  path: string,
  query: string,
  request: Request,
  response: Response,
  { store, links, publicPrefixes }: LocalFilesOptions,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
  response.setHeader("Cache-Control", "no-store");
  const key = keyOf(path);
  const isOpen = key !== null && isPublic(key, publicPrefixes);
  // Whoever has no good link learns nothing of what there is.
  if (key === null || !(isOpen || isSigned(key, query, links)))
    throw new ServiceError("PERMISSION_DENIED", "The link is not valid, or has expired.");
  const cacheControl = isOpen ? "public, no-cache" : "private, no-cache";
  await sendFile({ key, request, response, store, cacheControl });
}

/** The key that a path stands for. Null for what is none. */
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

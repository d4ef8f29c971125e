import type { Request, RequestHandler, Response } from "express";
import { methodNotAllowed, splitUrl } from "../../../../core/http/index.ts";
import { admitCaller, type StorageRouterOptions } from "../admit-caller.ts";
import { ResumableUploads, type TusAnswer } from "./resumable-uploads.ts";
import { isUploadOf, newUploadId, noSuchUpload } from "./unfinished-uploads.ts";

const pattern = /^\/resumable(?:\/(?<id>[^/]+))?$/;
/** For scripts of other origins. */
// biome-ignore format: many on a line
const exposed = [
  "Location", "Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Upload-Expires", "Upload-Length",
  "Upload-Metadata", "Upload-Offset", "X-File-Path", "X-File-Url",
].join(", ");

interface ResumableOptions extends StorageRouterOptions {
  /** Public URL of the storage routes, without a trailing slash. */
  readonly address: string;
}

/** Serves resumable uploads by the tus protocol (docs/storage.md#resumable-uploads). */
export function resumableRoute(options: ResumableOptions): RequestHandler {
  const uploads = new ResumableUploads(options.services.store.stagingFolder);
  return (request, response, next) => {
    const found = pattern.exec(splitUrl(request.url).path);
    if (found === null) return next();
    serve(uploads, found.groups?.["id"] ?? null, request, response, options).catch(next);
  };
}

async function serve(
  uploads: ResumableUploads,
  sentId: string | null,
  request: Request,
  response: Response,
  options: ResumableOptions,
): Promise<void> {
  const { method, baseUrl } = request;
  request.context.route = `${baseUrl}/resumable${sentId === null ? "" : "/{id}"}`;
  const allowed = sentId === null ? ["OPTIONS", "POST"] : ["OPTIONS", "HEAD", "PATCH", "DELETE"];
  if (!allowed.includes(method)) throw methodNotAllowed(allowed);
  response.setHeader("Cache-Control", "no-store").setHeader("Tus-Resumable", "1.0.0");
  const others = response.getHeader("Access-Control-Expose-Headers");
  if (others !== undefined) response.setHeader("Access-Control-Expose-Headers", `${others}, ${exposed}`);
  const path = new URL(`${options.address}/resumable`).pathname;
  if (method === "OPTIONS") {
    const call = { services: options.services, allowedPrefix: null, request, id: "", path };
    return send(await uploads.answer(call), response);
  }
  const admitted = await admitCaller(options, method === "POST" ? "upload" : null, request, response);
  const { services, user } = admitted;
  const id = sentId ?? newUploadId(user);
  if (!isUploadOf(id, user)) throw noSuchUpload();
  const leave = method === "POST" || method === "PATCH" ? services.uploads.take(user) : () => {};
  try {
    send(await uploads.answer({ ...admitted, request, id, path }), response);
  } finally {
    leave();
  }
}

function send({ status, headers }: TusAnswer, response: Response): void {
  for (const [name, value] of headers)
    if (!name.startsWith("access-control-")) response.setHeader(name, value);
  response.status(status).end();
}

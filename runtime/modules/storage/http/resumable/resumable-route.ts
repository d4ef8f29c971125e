import type { Request, RequestHandler, Response } from "express";
import { ServiceError } from "../../../../core/errors/index.ts";
import { methodNotAllowed, splitUrl } from "../../../../core/http/index.ts";
import { admitCaller, type StorageRouterOptions } from "../admit-caller.ts";
import { ResumableUploads } from "./resumable-uploads.ts";
import { tusExtensions } from "./tus-server.ts";
import { isUploadOf, newUploadId } from "./unfinished-uploads.ts";

const pattern = /^\/resumable(?:\/(?<id>[^/]+))?$/;
/** For scripts of other origins. */
// biome-ignore format: many on a line
const exposed = [
  "Location", "Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Upload-Expires", "Upload-Length",
  "Upload-Metadata", "Upload-Offset", "X-File-Path", "X-File-Url",
].join(", ");

/** Serves resumable uploads by the tus protocol (docs/storage.md#resumable-uploads). */
export function resumableRoute(options: StorageRouterOptions): RequestHandler {
  const uploads = new ResumableUploads(options.services);
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
  options: StorageRouterOptions,
): Promise<void> {
  const { method, baseUrl } = request;
  const path = `${baseUrl}/resumable`;
  request.context.route = sentId === null ? path : `${path}/{id}`;
  const allowed = sentId === null ? ["OPTIONS", "POST"] : ["OPTIONS", "HEAD", "PATCH", "DELETE"];
  if (!allowed.includes(method)) throw methodNotAllowed(allowed);
  response.setHeader("Cache-Control", "no-store").setHeader("Tus-Resumable", "1.0.0");
  const others = response.getHeader("Access-Control-Expose-Headers");
  if (others !== undefined) response.setHeader("Access-Control-Expose-Headers", `${others}, ${exposed}`);
  if (method === "OPTIONS") return describe(response, options.services.settings.maxFileSizeBytes);
  const admitted = await admitCaller(options, method === "POST" ? "upload" : null, request, response);
  const { services, user } = admitted;
  const id = sentId ?? newUploadId(user);
  if (!isUploadOf(id, user)) throw new ServiceError("NOT_FOUND", "There is no such upload.");
  const leave = method === "POST" || method === "PATCH" ? services.uploads.take(user) : () => {};
  try {
    const { status, headers } = await uploads.answer({ ...admitted, request, id, path });
    for (const [name, value] of headers)
      if (!name.startsWith("access-control-")) response.setHeader(name, value);
    response.status(status).end();
  } finally {
    leave();
  }
}

function describe(response: Response, maxBytes: number): void {
  response.set({ "Tus-Version": "1.0.0", "Tus-Extension": tusExtensions, "Tus-Max-Size": `${maxBytes}` });
  response.status(204).end();
}

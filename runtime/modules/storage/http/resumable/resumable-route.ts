import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import { lazy } from "../../../../core/concurrency/index.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import { methodNotAllowed, splitUrl } from "../../../../core/http/index.ts";
import { withStorageErrors } from "../../storage-error.ts";
import { admitCaller, type StorageRouterOptions } from "../storage-route.ts";
import { answerByTus, extensions, loadTus } from "./tus-server.ts";
import { noSuchUpload, ownerPart } from "./unfinished-uploads.ts";

const pattern = /^\/resumable(?:\/(?<id>[^/]+))?$/;
const idPattern = /^[0-9a-f]{32}-[0-9a-f-]{36}$/;

/**
 * Serves the tus protocol (docs/storage.md#resumable-uploads), one request of an upload at a time. `address`: public
 * URL of the storage routes.
 */
export function resumableRoute(options: StorageRouterOptions, address: string): RequestHandler {
  const { stagingFolder } = options.services.store;
  const { pathname } = new URL(`${address}/resumable`);
  const tus = lazy(() => loadTus(stagingFolder, pathname));
  return async (request, response, next) => {
    const found = pattern.exec(splitUrl(request.url).path);
    if (found === null) return next();
    const sentId = found.groups?.["id"] ?? null;
    const { method, baseUrl } = request;
    request.context.route = `${baseUrl}/resumable${sentId === null ? "" : "/{id}"}`;
    const allowed = sentId === null ? ["OPTIONS", "POST"] : ["OPTIONS", "HEAD", "PATCH", "DELETE"];
    if (!allowed.includes(method)) throw methodNotAllowed(allowed);
    response.set({ "Cache-Control": "no-store", "Tus-Resumable": "1.0.0", "Tus-Version": "1.0.0" });
    if (method === "OPTIONS") {
      const { maxFileSizeBytes } = options.services.settings;
      response.set({ "Tus-Extension": extensions.join(), "Tus-Max-Size": String(maxFileSizeBytes) });
      response.status(204).end();
      return;
    }
    if ((request.headers["content-encoding"] ?? "identity") !== "identity")
      throw new ServiceError("HTTP_ERROR", "The body must not be compressed.", undefined, { status: 415 });
    const caller = await admitCaller(options, method === "POST" ? "upload" : null, request, response);
    const { services, user } = caller;
    const owner = ownerPart(user);
    const id = sentId ?? owner + randomUUID();
    if (!id.startsWith(owner) || !idPattern.test(id)) throw noSuchUpload();
    const answering = async () => {
      const leave = method === "POST" || method === "PATCH" ? services.uploads.take(user) : () => {};
      try {
        return await answerByTus(await tus(), id, { ...caller, request });
      } finally {
        leave();
      }
    };
    const answer = await withStorageErrors(services.locks.run(`.${id}`, answering));
    for (const [name, value] of answer.headers)
      if (name === "access-control-expose-headers") response.append(name, value);
      else response.setHeader(name, value);
    response.status(answer.status).end();
  };
}

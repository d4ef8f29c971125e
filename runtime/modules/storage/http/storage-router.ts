import type { Request, RequestHandler, Response } from "express";
import type { Problem } from "../../../core/errors/index.ts";
import { methodNotAllowed, readQueryString, sendSuccess, splitUrl } from "../../../core/http/index.ts";
import { deleteFiles } from "./delete-files.ts";
import { fileUrl } from "./file-url.ts";
import { listFilesRoute } from "./list-files-route.ts";
import { moveFileRoute } from "./move-file-route.ts";
import { admitCaller, type StorageRoute, type StorageRouterOptions } from "./storage-route.ts";
import { uploadFile } from "./upload-file.ts";
import { uploadImage } from "./upload-image.ts";

/** Serves the file routes below the slug. `serve` runs its checks before those of the route. */
export function storageRouter(
  routes: ReadonlyMap<string, StorageRoute>,
  options: StorageRouterOptions,
): RequestHandler {
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const route = routes.get(path);
    if (route === undefined) return next();
    request.context.route = request.baseUrl + path;
    serve(route, query, request, response, options).catch(next);
  };
}

/** Checks method, credential, rate limit and parameters, then runs the route. */
async function serve(
  route: StorageRoute,
  query: string,
  request: Request,
  response: Response,
  options: StorageRouterOptions,
): Promise<void> {
  const { method } = request;
  if (method !== route.method && !(method === "HEAD" && route.method === "GET"))
    throw methodNotAllowed(route.method === "GET" ? ["GET", "HEAD"] : [route.method]);
  response.setHeader("Cache-Control", "no-store");
  const { trace } = request.context;
  const admitted = await admitCaller(options, route.operation, request, response);
  const step = trace.begin("validate");
  const problems: Problem[] = [];
  const parameters = readQueryString(query, problems, { mayBeEmpty: /^prefix$/ });
  for (const field of parameters.keys())
    if (!route.parameters.includes(field))
      problems.push({ field, message: "is not a parameter of this route" });
  trace.end(step);
  const call = { ...admitted, request, response, parameters, problems };
  sendSuccess(response, await route.run(call));
}

/** File routes by their path below the slug (docs/storage.md). */
export const storageRoutes: ReadonlyMap<string, StorageRoute> = new Map<string, StorageRoute>([
  ["/upload/file", uploadFile],
  ["/upload/image", uploadImage],
  ["/delete", deleteFiles],
  ["/url", fileUrl],
  ["/list", listFilesRoute],
  ["/move", moveFileRoute],
]);

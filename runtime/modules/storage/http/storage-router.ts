import type { Request, RequestHandler, Response } from "express";
import type { StorageOperation } from "../../../../vocabulary/storage.ts";
import { type Problem, ServiceError } from "../../../core/errors/index.ts";
import { methodNotAllowed, readQueryString, sendSuccess, splitUrl } from "../../../core/http/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { countRequest, type OperationCounter } from "../../rate-limit/index.ts";
import type { StorageServices } from "../files/storage-services.ts";
import { allowedPrefixOf } from "../keys/key-reach.ts";
import { deleteFiles } from "./delete-files.ts";
import { fileUrl } from "./file-url.ts";
import { listFilesRoute } from "./list-files-route.ts";
import { moveFileRoute } from "./move-file-route.ts";
import type { StorageRoute } from "./storage-route.ts";
import { uploadFile } from "./upload-file.ts";
import { uploadImage } from "./upload-image.ts";

interface Caller {
  readonly principal: Principal;
  readonly address: string;
}

export interface StorageRouterOptions {
  readonly services: StorageServices;
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  /** Operations without a counter have no limit. */
  readonly counters: ReadonlyMap<StorageOperation, OperationCounter>;
}

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
  { services, callerOf, counters }: StorageRouterOptions,
): Promise<void> {
  const { method } = request;
  if (method !== route.method && !(method === "HEAD" && route.method === "GET"))
    throw methodNotAllowed(route.method === "GET" ? ["GET", "HEAD"] : [route.method]);
  response.setHeader("Cache-Control", "no-store");
  const { principal, address } = await callerOf(request, response);
  const { user_id: user } = principal;
  if (user === null) throw new ServiceError("MISSING_TOKEN", "Storage needs an access token or an API key.");
  const { id, trace } = request.context;
  await countRequest(counters.get(route.operation), { principal, address, trace }, response);
  const step = trace.begin("validate");
  const problems: Problem[] = [];
  const parameters = readQueryString(query, problems, { mayBeEmpty: /^prefix$/ });
  for (const field of parameters.keys())
    if (!route.parameters.includes(field))
      problems.push({ field, message: "is not a parameter of this route" });
  trace.end(step);
  const allowedPrefix = allowedPrefixOf(principal, services.settings);
  const own = { ...services, log: services.log.child({ request_id: id }) };
  const call = { services: own, request, response, user, allowedPrefix, parameters, problems };
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

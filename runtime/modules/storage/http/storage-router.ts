import type { RequestHandler } from "express";
import { storageRoutes } from "../../../../vocabulary/built-in-routes.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { methodNotAllowed, readQueryString, sendSuccess, splitUrl } from "../../../core/http/index.ts";
import { deleteFiles } from "./delete-files.ts";
import { fileUrl } from "./file-url.ts";
import { listFilesRoute } from "./list-files-route.ts";
import { moveFileRoute } from "./move-file-route.ts";
import { admitCaller, type StorageRoute, type StorageRouterOptions } from "./storage-route.ts";
import { uploadFile } from "./upload-file.ts";
import { uploadImage } from "./upload-image.ts";

const routes: Readonly<Record<(typeof storageRoutes)[number]["path"], StorageRoute>> = {
  "/upload/file": uploadFile,
  "/upload/image": uploadImage,
  "/delete": deleteFiles,
  "/url": fileUrl,
  "/list": listFilesRoute,
  "/move": moveFileRoute,
};

/** Serves the file routes below the slug, after checks of method, credential, rate limit and parameters. */
export function storageRouter(options: StorageRouterOptions): RequestHandler {
  return async (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const listed = storageRoutes.find((route) => route.path === path);
    if (listed === undefined) return next();
    const { baseUrl, context } = request;
    context.route = baseUrl + path;
    const allowed = listed.method === "GET" ? ["GET", "HEAD"] : [listed.method];
    if (!allowed.includes(request.method)) throw methodNotAllowed(allowed);
    response.setHeader("Cache-Control", "no-store");
    const admitted = await admitCaller(options, listed.operation, request, response);
    const step = context.trace.begin("validate");
    const route = routes[listed.path];
    const problems: Problem[] = [];
    const parameters = readQueryString(query, problems, { mayBeEmpty: /^prefix$/ });
    for (const field of parameters.keys())
      if (!route.parameters.includes(field))
        problems.push({ field, message: "is not a parameter of this route" });
    context.trace.end(step);
    sendSuccess(response, await route.run({ ...admitted, request, response, parameters, problems }));
  };
}

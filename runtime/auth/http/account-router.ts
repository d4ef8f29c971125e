import type { RequestHandler } from "express";
import { methodNotAllowed, splitUrl } from "../../http/index.ts";
import type { AuthRoute, Exchange } from "./account-route.ts";
import type { AccountServices } from "./account-services.ts";

/** Serves the routes of the accounts, below `auth_prefix`. */
export function authRouter(routes: readonly AuthRoute[], services: AccountServices): RequestHandler {
  const byPath = new Map(routes.map(({ path }) => [path, routes.filter((one) => one.path === path)]));
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const found = byPath.get(path);
    if (found === undefined) return next();
    request.context.route = request.baseUrl + path;
    serve(found, { request, response, services, query: new URLSearchParams(query) }).catch(next);
  };
}

async function serve(routes: readonly AuthRoute[], exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = routes.find((one) => one.method === method);
  if (route === undefined) throw methodNotAllowed(routes.flatMap(methodsOf));
  // Tokens, codes and people's data: no cache may keep them.
  response.setHeader("Cache-Control", "no-store");
  await route.serve(exchange);
}

function methodsOf({ method }: AuthRoute): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

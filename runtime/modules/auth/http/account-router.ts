import type { RequestHandler } from "express";
import { methodNotAllowed, splitUrl } from "../../../core/http/index.ts";
import { accountPaths } from "./account-paths.ts";
import type { AccountRoute, RouteContext } from "./account-route.ts";
import type { AccountServices } from "./account-services.ts";

/** Serves the routes of the accounts, below `auth_prefix`. */
export function authRouter(routes: readonly AccountRoute[], services: AccountServices): RequestHandler {
  const find = accountPaths(
    routes.map(({ path }) => path),
    services.social.conversations,
  );
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const found = find(path);
    if (found === null) return next();
    const { pattern, conversation, parameter } = found;
    const ofPath = routes.filter((route) => route.path === pattern);
    request.context.route = request.baseUrl + pattern;
    const context = { request, response, services, conversation, parameter };
    serve(ofPath, { ...context, query: new URLSearchParams(query) }).catch(next);
  };
}

async function serve(routes: readonly AccountRoute[], context: Omit<RouteContext, "route">): Promise<void> {
  const { request, response } = context;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = routes.find((one) => one.method === method);
  if (route === undefined) throw methodNotAllowed(routes.flatMap(methodsOf));
  // Tokens, codes and people's data: no cache may keep them.
  response.setHeader("Cache-Control", "no-store");
  await route.serve({ ...context, route });
}

function methodsOf({ method }: AccountRoute): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

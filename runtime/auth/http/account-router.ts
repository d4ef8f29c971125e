import type { Request, RequestHandler, Response } from "express";
import { methodNotAllowed, readJsonBody, sendAnswer, splitUrl } from "../../http/index.ts";
import type { AuthAnswer, AuthRoute, Exchange } from "./account-route.ts";
import type { AccountServices } from "./account-services.ts";
import { answerCookie } from "./cookie.ts";

/** Serves the routes of the accounts, below `auth_prefix`. */
export function authRouter(routes: readonly AuthRoute[], services: AccountServices): RequestHandler {
  const byPath = new Map(routes.map(({ path }) => [path, routes.filter((one) => one.path === path)]));
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const found = byPath.get(path);
    if (found === undefined) return next();
    request.context.route = request.baseUrl + path;
    serve(found, exchangeOf(request, response, services, new URLSearchParams(query))).catch(next);
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

function exchangeOf(
  request: Request,
  response: Response,
  services: AccountServices,
  query: URLSearchParams,
): Exchange {
  const { auth, server } = services.config;
  return {
    request,
    response,
    services,
    query,
    readBody: () => readJsonBody(request, server.bodyLimitBytes),
    answer({ message, data, accessToken }: AuthAnswer) {
      // First, as it throws where a hook has left no JSON: a refusal sets no cookie.
      const text = JSON.stringify(data ?? null);
      if (accessToken !== undefined) answerCookie(response, accessToken, auth);
      sendAnswer(response, { message, data: text });
    },
  };
}

import type { RequestHandler } from "express";
import { methodNotAllowed, splitUrl } from "../../http/index.ts";
import type { Conversation } from "../social/index.ts";
import type { AccountRoute, Exchange } from "./account-route.ts";
import type { AccountServices } from "./account-services.ts";

/** Serves the routes of the accounts, below `auth_prefix`. */
export function authRouter(routes: readonly AccountRoute[], services: AccountServices): RequestHandler {
  const byPath = new Map(routes.map(({ path }) => [path, routes.filter((one) => one.path === path)]));
  const { conversations } = services.social;
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const [pattern, conversation] = named(path, conversations);
    const found = byPath.get(pattern);
    if (found === undefined || (conversation === null && isOfProvider(pattern))) return next();
    request.context.route = request.baseUrl + pattern;
    serve(found, { request, response, services, query: new URLSearchParams(query), conversation }).catch(
      next,
    );
  };
}

/** Apple's callback goes by two names. */
const appleCallback = "/apple/callback";

/** Whether a route is there only with a provider. */
function isOfProvider(pattern: string): boolean {
  return pattern.startsWith("/{provider}/") || pattern === appleCallback;
}

/** The pattern of a path, and the declared provider that it names. */
function named(
  path: string,
  conversations: AccountServices["social"]["conversations"],
): readonly [string, Conversation | null] {
  if (path === appleCallback) return [path, conversations.get("apple-id") ?? null];
  const [, first = "", rest = ""] = /^\/([^/]+)(\/[^/]+)$/.exec(path) ?? [];
  // Clients can encode the colon of oidc:<name>.
  const conversation = conversations.get(first.replace(/%3a/i, ":")) ?? null;
  return conversation === null ? [path, null] : [`/{provider}${rest}`, conversation];
}

async function serve(routes: readonly AccountRoute[], exchange: Omit<Exchange, "route">): Promise<void> {
  const { request, response } = exchange;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = routes.find((one) => one.method === method);
  if (route === undefined) throw methodNotAllowed(routes.flatMap(methodsOf));
  // Tokens, codes and people's data: no cache may keep them.
  response.setHeader("Cache-Control", "no-store");
  await route.serve({ ...exchange, route });
}

function methodsOf({ method }: AccountRoute): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

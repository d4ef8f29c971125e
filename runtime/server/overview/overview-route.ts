import type { Request, RequestHandler } from "express";
import { methodNotAllowed, splitUrl } from "../../core/http/index.ts";
import { type Page, sendPage } from "../../core/pages/index.ts";
import { overviewPage, type ShownService } from "./overview-page.ts";

/**
 * `GET /`: the page, made when somebody asks for it. Its links are relative, so that they hold wherever an application has mounted the
 * service; where the address lacks the slash that they need, the browser is sent to the one that has it.
 */
export function overviewRoute(service: ShownService): RequestHandler {
  let last: { readonly address: string; readonly page: Page } | null = null;
  return (request, response, next) => {
    const { context, method, originalUrl, url } = request;
    if (splitUrl(url).path !== "/") return next();
    context.route = "/";
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    const { path } = splitUrl(originalUrl);
    if (!path.endsWith("/")) {
      // The dot keeps it on this host, whatever the segment is.
      response.redirect(307, `./${path.slice(path.lastIndexOf("/") + 1)}/`);
      return;
    }
    const address = shownAddress(request, service.baseUrl);
    if (last?.address !== address) last = { address, page: overviewPage(service, address) };
    sendPage(response, 200, last.page);
  };
}

/** What nobody can pass for a command, or for another machine. */
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const plainPath = /^[\w./~-]*$/;

/**
 * Where the service answers, for the examples on the page: `base_url` where this request came that way. A manifest often has that of
 * production, to which no token of development belongs. Of the request's own words only those stand there that cannot do harm.
 */
function shownAddress({ headers, socket, baseUrl: mountPath }: Request, baseUrl: string): string {
  const host = headers.host?.toLowerCase() ?? "";
  if (new URL(baseUrl).host === host) return baseUrl;
  const scheme = "encrypted" in socket ? "https" : "http";
  const path = plainPath.test(mountPath) ? mountPath : "";
  return `${scheme}://${loopback.test(host) ? host : localHost(socket)}${path}`;
}

function localHost({ localAddress = "127.0.0.1", localPort = 80 }: Request["socket"]): string {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, "");
  return `${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}

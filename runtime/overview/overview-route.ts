import type { RequestHandler } from "express";
import { methodNotAllowed, splitUrl } from "../http/index.ts";
import { type Page, sendPage } from "../pages/index.ts";
import { overviewPage, type ShownService } from "./overview-page.ts";
import { shownAddress } from "./shown-address.ts";

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

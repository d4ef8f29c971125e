import type { Request } from "express";

/** What nobody can pass for a command, or for another machine. */
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const plainPath = /^[\w./~-]*$/;

/**
 * Where the service answers, for the examples on the page: `base_url` where this request came that way. A manifest often has that of
 * production, to which no token of development belongs. Of the request's own words only those stand there that cannot do harm.
 */
export function shownAddress({ headers, socket, baseUrl: mountPath }: Request, baseUrl: string): string {
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

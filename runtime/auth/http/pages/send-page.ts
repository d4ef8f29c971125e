import type { ServerResponse } from "node:http";
import type { Page } from "./page.ts";

/** Sends a page so that no cache keeps it, no other page learns its address, and it runs under its own policy alone. */
export function sendPage(
  response: ServerResponse,
  status: number,
  { html, contentSecurityPolicy }: Page,
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader("Content-Security-Policy", contentSecurityPolicy);
  response.setHeader("Content-Length", Buffer.byteLength(html));
  response.end(html);
}

const headers: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

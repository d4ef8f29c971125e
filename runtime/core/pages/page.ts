import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, attributes included. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A page without data of a request. */
export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

interface Content {
  /** Plain text. */
  readonly title: string;
  /** HTML of the main part. */
  readonly main: string;
  /** Styles in addition to those of all pages. */
  readonly style?: string;
  /** Plain JavaScript. */
  readonly script?: string;
  /** The path of a JavaScript module of the service, relative to the page. */
  readonly module?: string;
}

/** Every pair of colours has a contrast of at least 4.5 to 1 (WCAG 2.2, AA), 3 to 1 for borders. */
const styleOfAll = `
:root {
  color-scheme: light dark;
  --text: #1b1b1f; --back: #ffffff; --soft: #5a5a66; --line: #767680;
  --strong: #1d4ed8; --on-strong: #ffffff; --bad: #b00020;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #ececf1; --back: #16171d; --soft: #b4b4c0; --line: #8e8e99;
    --strong: #93b4ff; --on-strong: #0b1020; --bad: #ffb4ab;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--text); font: 100%/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
input[type=text], input[type=password] {
  width: 100%; padding: 0.625rem 0.75rem; border: 1px solid var(--line); border-radius: 0.375rem;
  background: var(--back); color: var(--text); font: inherit;
}
input[aria-invalid=true] { border: 2px solid var(--bad); }
h2 { margin: 2.5rem 0 0; font-size: 1.125rem; line-height: 1.25; }
ul { margin: 0; padding: 0; list-style: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
code { overflow-wrap: anywhere; }
.check { display: flex; gap: 0.5rem; align-items: center; font-weight: 400; }
.check input { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--strong); }
.hint { margin: 0.25rem 0 0; color: var(--soft); font-size: 0.875rem; }
.error { margin: 1rem 0 0; color: var(--bad); font-weight: 600; }
.error:empty, .done:empty { margin: 0; }
button {
  width: 100%; min-height: 2.75rem; margin-top: 1.5rem; padding: 0.625rem 1rem; border: 0; border-radius: 0.375rem;
  background: var(--strong); color: var(--on-strong); font: inherit; font-weight: 600; cursor: pointer;
}
button[aria-disabled=true] { cursor: progress; }
button.plain { border: 1px solid var(--line); background: var(--back); color: var(--strong); }
button.plain + button.plain { margin-top: 0.75rem; }
a { color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
`;

/**
 * Builds a page. Hashes allow its inline style and script. It loads nothing but its module, submits no form
 * without a script, and cannot be framed.
 */
export function page({ title, main, style: own = "", script, module }: Content): Page {
  const style = styleOfAll + own;
  const sources = [
    ...(script === undefined ? [] : [hashOf(script)]),
    ...(module === undefined ? [] : ["'self'"]),
  ];
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(sources.length === 0 ? [] : [`script-src ${sources.join(" ")}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}</main>
${script === undefined ? "" : `<script>${script}</script>\n`}${module === undefined ? "" : `<script type="module" src="${module}"></script>\n`}</body>
</html>
`;
  return { html, contentSecurityPolicy: policy.join("; ") };
}

/** A page with one message, `text` as HTML, and no script. */
export function notice(title: string, text: string): Page {
  return page({ title, main: `<h1>${escaped(title)}</h1>\n<p>${text}</p>\n` });
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

/** Sends a page without caching and referrer. */
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

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

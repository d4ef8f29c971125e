import { createHash } from "node:crypto";
import { style } from "./style.ts";

/** A page that is the same for every request: nothing of a request stands in it. */
export interface Page {
  readonly html: string;
  /** The policy under which this page, and nothing else, works. */
  readonly contentSecurityPolicy: string;
}

interface Content {
  readonly title: string;
  /** HTML of the main part. */
  readonly main: string;
  /** Plain JavaScript; without it the page runs none. */
  readonly script?: string;
}

/**
 * Puts a page together. Its one style and its one script stand in it and are allowed by their hashes; nothing is loaded
 * from anywhere, no form is sent without the script, and no other page can frame it (decisions, part 7).
 */
export function page({ title, main, script }: Content): Page {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
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
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}</main>
${script === undefined ? "" : `<script>${script}</script>\n`}</body>
</html>
`;
  return { html, contentSecurityPolicy: policy.join("; ") };
}

/** A page that says one thing, and runs no script. */
export function notice(title: string, text: string): Page {
  return page({ title, main: `<h1>${title}</h1>\n<p>${text}</p>\n` });
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

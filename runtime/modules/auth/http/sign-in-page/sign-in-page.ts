import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { RequestHandler } from "express";
import { signInPath } from "../../../../../vocabulary/built-in-routes.ts";
import { errorCodes } from "../../../../../vocabulary/error-codes.ts";
import { escaped, type Page, type PageFile, page, servePageFiles } from "../../../../core/pages/index.ts";

const { resolve } = createRequire(import.meta.url);

/** How the page begins a sign-in at a provider that needs more than a button. */
interface Beginning {
  /** A parameter that the user has to enter; null if a page of the app begins the sign-in. */
  readonly parameter: string | null;
}

interface SignInPageSettings {
  /** The parts of accounts that are on. */
  readonly features: Iterable<string>;
  /** The providers that need more than a button. */
  readonly beginnings: Readonly<Record<string, Beginning>>;
}

const messages = Object.fromEntries(Object.entries(errorCodes).map(([code, { message }]) => [code, message]));

/** The page of `GET /auth/sign-in`. */
export function signInPage({ features, beginnings }: SignInPageSettings): Page {
  const settings = JSON.stringify({ features: [...features], beginnings, messages });
  const main = `<h1>Sign in</h1>
<p class="hint">This page is for testing accounts in development. It does not exist in production.</p>
<noscript><p>This page needs JavaScript. Please allow it, and load the page again.</p></noscript>
<div id="page" data-settings="${escaped(settings)}"></div>
`;
  return page({ title: "Sign in", main, module: `${signInPath.slice(1)}/app.js` });
}

const modules = ["account", "api", "app", "form", "passkeys", "providers", "second-factor", "ways"];

/** Serves the files of the page, below `auth_prefix`. */
export function signInFiles(): RequestHandler {
  const files = new Map<string, PageFile>([
    ...modules.map(
      (name) => [`${signInPath}/${name}.js`, () => new URL(`page/${name}.js`, import.meta.url)] as const,
    ),
    [`${signInPath}/packages/htm.js`, () => new URL("htm.mjs", pathToFileURL(resolve("htm")))],
    [`${signInPath}/packages/preact.js`, () => pathToFileURL(resolve("preact"))],
  ]);
  return servePageFiles(files, ["default-src 'none'", "frame-ancestors 'none'"]);
}

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
  /** Whether users make their own accounts. */
  readonly registration: boolean;
  /** The JSON Schemas of the columns of the app that the owner of an account writes. */
  readonly columns: Readonly<Record<string, object>>;
  /** The providers that need more than a button. */
  readonly beginnings: Readonly<Record<string, Beginning>>;
}

const messages = Object.fromEntries(Object.entries(errorCodes).map(([code, { message }]) => [code, message]));

/** The page of `GET /auth/sign-in`. */
export function signInPage({ features, ...more }: SignInPageSettings): Page {
  const settings = JSON.stringify({ features: [...features], ...more, messages });
  const main = `<h1>Sign in</h1>
<p class="hint">This page is for testing accounts in development. It does not exist in production.</p>
<noscript><p>This page needs JavaScript. Please allow it, and load the page again.</p></noscript>
<div id="page" data-settings="${escaped(settings)}"></div>
`;
  return page({ title: "Sign in", main, module: `${signInPath.slice(1)}/app.js` });
}

// biome-ignore format: a list of names
const modules = [
  "account", "account-actions", "api", "app", "credentials", "form", "passkeys", "profile", "providers", "second-factor", "ways",
];

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

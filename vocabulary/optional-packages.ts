import type { SocialProvider } from "./social/provider.ts";
import { providerRow } from "./social/providers.ts";

/** The part of a manifest that names what needs packages which an app installs itself. */
interface ManifestPart {
  readonly modules?: readonly string[];
  readonly storage?: { readonly provider?: string };
  readonly sms?: { readonly provider?: string };
  readonly auth?: { readonly social_providers?: readonly string[] };
}

/** The versions that run on Node.js 20. npm would install the newest one. */
const ranges: Readonly<Record<NonNullable<SocialProvider["package"]>, string>> = {
  "@node-saml/node-saml": "^5.1.0",
  "@shopify/shopify-api": "^12.0.0",
  "google-auth-library": "^10.0.0",
};

const s3Packages = ["@aws-sdk/client-s3", "@aws-sdk/lib-storage", "@aws-sdk/s3-request-presigner"];

/** The packages by what needs them. They are optional peers of Kirak. */
function packagesByNeed({ modules = [], storage, sms, auth }: ManifestPart): [string, readonly string[]][] {
  const hasStorage = modules.includes("storage");
  const needs: [string, readonly string[]][] = [];
  if (hasStorage) needs.push(["the module storage", ["sharp"]]);
  if (hasStorage && storage?.provider === "s3") needs.push(['storage.provider "s3"', s3Packages]);
  if (sms?.provider !== undefined) needs.push([`sms.provider "${sms.provider}"`, ["libphonenumber-js"]]);
  for (const name of auth?.social_providers ?? []) {
    const needed = providerRow(name)?.package;
    if (needed !== undefined) needs.push([`the provider "${name}"`, [needed]]);
  }
  return needs;
}

/** The names of all packages that a manifest needs. */
export function optionalPackages(manifest: ManifestPart): string[] {
  return packagesByNeed(manifest).flatMap(([, packages]) => packages);
}

/** What a manifest names without its packages, with the line that installs them. `resolve` is that of the app. */
export function missingPackages(manifest: ManifestPart, resolve: (name: string) => unknown): string[] {
  return packagesByNeed(manifest).flatMap(([what, packages]) => {
    const missing = packages.filter((name) => !isFound(name, resolve)).map(withRange);
    return missing.length === 0 ? [] : [`${what} needs packages: npm install ${missing.join(" ")}`];
  });
}

function isFound(name: string, resolve: (name: string) => unknown): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}

function withRange(name: string): string {
  const range = new Map(Object.entries(ranges)).get(name);
  return range === undefined ? name : `${name}@${range}`;
}

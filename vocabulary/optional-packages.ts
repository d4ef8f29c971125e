import { type PasskeySection, passkeySectionOf } from "./passkeys.ts";
import { providerRow } from "./social/providers.ts";

/** The part of a manifest that decides which optional packages an app needs. */
interface ManifestPart {
  readonly modules?: readonly string[];
  readonly storage?: { readonly provider?: string; readonly resumable?: boolean };
  readonly sms?: { readonly provider?: string };
  readonly typescript?: { readonly kysely?: boolean };
  readonly auth?: {
    readonly social_providers?: readonly string[];
    readonly passkeys?: boolean | PasskeySection;
  };
}

/**
 * The version ranges of optional peer dependencies in `package.json`. Without a range, npm installs the
 * newest version, which can require a newer Node.js.
 */
const ranges: ReadonlyMap<string, string> = new Map([
  ["@aws-sdk/client-s3", "^3.1169.0"],
  ["@aws-sdk/lib-storage", "^3.1169.0"],
  ["@aws-sdk/s3-request-presigner", "^3.1163.0"],
  ["@modelcontextprotocol/node", "^2.1.0"],
  ["@modelcontextprotocol/server", "^2.4.0"],
  ["@node-saml/node-saml", "^5.1.0"],
  ["@shopify/shopify-api", "^12.0.0"],
  ["@simplewebauthn/server", "^14.0.3"],
  ["@tus/file-store", "^2.1.1"],
  ["@tus/server", "^2.4.5"],
  ["google-auth-library", "^10.0.0"],
  ["kysely", "^0.28.0 || ^0.29.0"],
  ["libphonenumber-js", "^1.13.16"],
  ["sharp", "^0.35.5"],
]);

const mcpPackages = ["@modelcontextprotocol/server", "@modelcontextprotocol/node"];
const s3Packages = ["@aws-sdk/client-s3", "@aws-sdk/lib-storage", "@aws-sdk/s3-request-presigner"];
const tusPackages = ["@tus/server", "@tus/file-store"];

/** Optional packages by the setting that needs them. */
function packagesByNeed(manifest: ManifestPart): [string, readonly string[]][] {
  const { modules = [], storage, sms, auth, typescript } = manifest;
  const hasStorage = modules.includes("storage");
  const needs: [string, readonly string[]][] = [];
  if (hasStorage) needs.push(["the module storage", ["sharp"]]);
  if (hasStorage && storage?.provider === "s3") needs.push(['storage.provider "s3"', s3Packages]);
  if (hasStorage && storage?.resumable === true) needs.push(["storage.resumable", tusPackages]);
  if (modules.includes("mcp")) needs.push(["the module mcp", mcpPackages]);
  if (sms?.provider !== undefined) needs.push([`sms.provider "${sms.provider}"`, ["libphonenumber-js"]]);
  if (passkeySectionOf(auth?.passkeys) !== null) needs.push(["auth.passkeys", ["@simplewebauthn/server"]]);
  if (typescript?.kysely === true) needs.push(["typescript.kysely", ["kysely"]]);
  for (const name of auth?.social_providers ?? []) {
    const needed = providerRow(name)?.package;
    if (needed !== undefined) needs.push([`the provider "${name}"`, [needed]]);
  }
  return needs;
}

/** Names of all packages that a manifest needs. */
export function optionalPackages(manifest: ManifestPart): string[] {
  return packagesByNeed(manifest).flatMap(([, packages]) => packages);
}

/**
 * Returns a message for each setting with missing packages, with the command that installs them. `resolve` is
 * Kirak's, because Kirak imports them.
 */
export function missingPackages(manifest: ManifestPart, resolve: (name: string) => unknown): string[] {
  return packagesByNeed(manifest).flatMap(([what, packages]) => {
    const missing = packages.filter((name) => !isFound(name, resolve));
    const wanted = missing.map((name) => installed(name, ranges.get(name) ?? ""));
    return wanted.length === 0 ? [] : [`${what} needs packages: npm install ${wanted.join(" ")}`];
  });
}

/** A package as a word of a shell command. */
function installed(name: string, range: string): string {
  return range.includes(" ") ? `"${name}@${range}"` : `${name}@${range}`;
}

function isFound(name: string, resolve: (name: string) => unknown): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}

import { expect, test } from "vitest";
import { missingPackages, optionalPackages } from "#vocabulary/optional-packages";
import own from "../../package.json" with { type: "json" };
import { textOf } from "../architecture/import-graph.ts";

const manifest = {
  modules: ["storage", "mcp"],
  storage: { provider: "s3", resumable: true },
  sms: { provider: "log" },
  auth: { social_providers: ["github", "saml", "shopify", "google-onetap"], passkeys: true },
  typescript: { kysely: true },
};
const range = own.peerDependencies;

/** As if only these were installed. */
const resolveOnly = (installed: readonly string[]) => (name: string) => {
  if (!installed.includes(name)) throw new Error(`no ${name}`);
};

test("packages that a manifest needs and that are absent are named, with the line that installs them", () => {
  const mcp = ["@modelcontextprotocol/server", "@modelcontextprotocol/node"] as const;
  const tus = ["@tus/server", "@tus/file-store"] as const;
  const sdk = ["@aws-sdk/client-s3", "@aws-sdk/lib-storage", "@aws-sdk/s3-request-presigner"] as const;
  expect(missingPackages(manifest, resolveOnly([]))).toEqual([
    `the module storage needs packages: npm install sharp@${range.sharp}`,
    `storage.provider "s3" needs packages: npm install ${sdk.map((name) => `${name}@${range[name]}`).join(" ")}`,
    `storage.resumable needs packages: npm install ${tus.map((name) => `${name}@${range[name]}`).join(" ")}`,
    `the module mcp needs packages: npm install ${mcp.map((name) => `${name}@${range[name]}`).join(" ")}`,
    `sms.provider "log" needs packages: npm install libphonenumber-js@${range["libphonenumber-js"]}`,
    `auth.passkeys needs packages: npm install @simplewebauthn/server@${range["@simplewebauthn/server"]}`,
    // A shell would read the range as two commands.
    `typescript.kysely needs packages: npm install "kysely@${range.kysely}"`,
    `the provider "saml" needs packages: npm install @node-saml/node-saml@${range["@node-saml/node-saml"]}`,
    `the provider "shopify" needs packages: npm install @shopify/shopify-api@${range["@shopify/shopify-api"]}`,
    `the provider "google-onetap" needs packages: npm install google-auth-library@${range["google-auth-library"]}`,
  ]);
  // biome-ignore format: many a line
  const installed = [
    "sharp", sdk[0], sdk[1], "libphonenumber-js", "@shopify/shopify-api", "google-auth-library", "@simplewebauthn/server", "kysely", ...mcp, ...tus,
  ];
  expect(missingPackages(manifest, resolveOnly(installed))).toEqual([
    expect.stringMatching(/^storage\.provider "s3" .* install @aws-sdk\/s3-request-presigner@/),
    expect.stringMatching(/^the provider "saml"/),
  ]);
  expect(missingPackages({}, resolveOnly([]))).toEqual([]);
  expect(missingPackages({ auth: { passkeys: false } }, resolveOnly([]))).toEqual([]);
  expect(missingPackages({ typescript: {} }, resolveOnly([]))).toEqual([]);
  expect(missingPackages({ auth: { passkeys: {} } }, resolveOnly([]))).toHaveLength(1);
  expect(missingPackages({ storage: { provider: "s3", resumable: true } }, resolveOnly([]))).toEqual([]);
});

test("they are the optional peers of the package; no setting needs the API of OpenTelemetry, or yaml", () => {
  const needed = [...optionalPackages(manifest), "@opentelemetry/api", "yaml"];
  expect(new Set(needed)).toEqual(new Set(Object.keys(range)));
  // A flag of `kirak introspect` needs it.
  expect(textOf("cli/introspect/metadata-folder.ts")).toContain(`npm install --save-dev yaml@${range.yaml}`);
  for (const name of Object.keys(range))
    expect(own.peerDependenciesMeta).toMatchObject({ [name]: { optional: true } });
});

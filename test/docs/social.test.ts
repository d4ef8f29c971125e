import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SocialProvider } from "#vocabulary/social/provider";
import { secretsRequired, secretVariable, settingsRequired } from "#vocabulary/social/provider-settings";
import { socialProviders } from "#vocabulary/social/providers";

const path = join(import.meta.dirname, "..", "..", "docs", "social-providers.md");
const heading = "| Provider | | Protocol | E-mail | Needs |\n|---|---|---|---|---|\n";

const protocols: Readonly<Record<SocialProvider["protocol"], string>> = {
  oauth2: "OAuth 2.0",
  oidc: "OpenID Connect",
  oauth1: "OAuth 1.0a",
  openid2: "OpenID 2.0",
  custom: "its own",
  saml: "SAML 2.0",
};

function line(name: string, row: SocialProvider): string {
  const secrets = secretsRequired(row).map((choice) =>
    choice.map((setting) => `\`${secretVariable(name, setting)}\``).join(" or "),
  );
  const needs = [...settingsRequired(row).map((setting) => `\`${setting}\``), ...secrets];
  const { title, protocol, user, warning } = row;
  const columns = [`\`${name}\`${warning === undefined ? "" : "\\*"}`, title, protocols[protocol]];
  return `| ${[...columns, user.emailVerified === undefined ? "" : "verified", needs.join(", ")].join(" | ")} |`;
}

// UPDATE_GOLDENS=1 writes it again.
test("docs/social-providers.md has all providers of the data in its table", () => {
  const table = [...socialProviders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, row]) => line(name, row));
  const text = readFileSync(path, "utf8");
  const [before = ""] = text.split("## All providers");
  const rest = text.slice(before.length);
  const intro = rest.includes(heading) ? rest.slice(0, rest.indexOf(heading)) : `${rest.trimEnd()}\n\n`;
  const wanted = `${before}${intro}${heading}${table.join("\n")}\n`;
  if (process.env["UPDATE_GOLDENS"] === "1") writeFileSync(path, wanted);
  expect(readFileSync(path, "utf8")).toBe(wanted);
});

test("the ten most used providers are in the table, with the settings that they read", () => {
  const text = readFileSync(path, "utf8");
  const named = [...text.matchAll(/\{base_url\}\/auth\/([\w-]+)\/callback`/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !socialProviders.has(name))).toEqual([]);
  expect(new Set(named).size).toBeGreaterThan(9);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What `social-backends.json` says of a provider of OpenID Connect; the product's own table is not asked. */
export interface OpenIdFacts {
  readonly name: string;
  readonly protocol: string;
  readonly authorize_url: string | null;
  readonly token_url: string | null;
  readonly token_auth: "basic" | "body";
  readonly userinfo_url: string | null;
  readonly oidc_issuer: string;
  readonly scopes: readonly string[];
  readonly scope_separator: string;
  readonly uid_path: string;
  readonly email_path: string | null;
  readonly email_verified_path: string | null;
  readonly first_name_path: string | null;
  readonly last_name_path: string | null;
  readonly full_name_path: string | null;
  readonly username_path: string | null;
  readonly required_settings: readonly string[];
  readonly notes: string;
  readonly extra: {
    readonly email_scopes?: readonly string[];
    readonly authorize_params?: Readonly<Record<string, string>>;
    readonly defaults?: Readonly<Record<string, string>>;
    readonly id_token_issuer?: string;
    readonly jwks_url?: string;
    readonly library_uid_path?: string;
  };
}

const path = join(import.meta.dirname, "..", "..", "http", "social", "social-backends.json");
const all: readonly OpenIdFacts[] = JSON.parse(readFileSync(path, "utf8"));

/** All of them but the one that no service starts with. */
export const openIdFacts: readonly OpenIdFacts[] = all.filter(
  ({ protocol, name }) => protocol === "oidc" && name !== "facebook-limited-login",
);

/** Fills the `{placeholders}` of a text; one that nobody knows stays. */
export function fillPlaceholders(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Puts a value where a path without prefix leads to; of several ways the first, or the one of that number. */
export function place(document: Record<string, unknown>, path: string, value: unknown, way = 0): void {
  const choices = path.split("|");
  const [first = "", ...rest] = (choices.at(way) ?? path).replace(/\[(\d+)\]/g, ".$1").split(".");
  const [next] = rest;
  if (next === undefined) {
    document[first] = value;
    return;
  }
  if (/^\d+$/.test(next)) {
    document[first] = [value];
    return;
  }
  const below = Object.fromEntries(Object.entries(document[first] ?? {}));
  place(below, rest.join("."), value);
  document[first] = below;
}

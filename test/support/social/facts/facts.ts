import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What is known of a provider, apart from the product's own table (`test/http/social/social-backends.json`). */
export interface Fact {
  readonly name: string;
  readonly protocol: "oidc" | "oauth1" | "oauth2" | "openid2" | "other" | "saml";
  readonly authorize_url: string;
  readonly token_url: string;
  readonly token_auth: "basic" | "body";
  readonly token_method: "GET" | "POST";
  readonly userinfo_url: string | null;
  readonly scopes: readonly string[];
  readonly scope_separator: string;
  readonly uid_path: string;
  readonly email_path: string | null;
  readonly email_verified_path: string | null;
  readonly first_name_path: string | null;
  readonly last_name_path: string | null;
  readonly full_name_path: string | null;
  readonly required_settings: readonly string[];
  readonly extra_package: string | null;
  readonly extra: {
    readonly userinfo_auth?: string;
    readonly userinfo_method?: "POST";
    readonly userinfo_params?: Texts;
    readonly userinfo_headers?: Texts;
    readonly profile_url?: string;
    readonly email_url?: string;
    readonly email_scopes?: readonly string[];
    readonly authorize_params?: Texts;
    readonly token_params?: Texts;
    readonly token_headers?: Texts;
    readonly token_body?: "json";
    readonly client_id_param?: string;
    readonly client_secret_param?: string;
    readonly defaults?: Texts;
    readonly email_verified_kind?: "number" | "string" | "timestamp";
    readonly status?: "legacy" | "retired";
  };
}

export type Texts = Readonly<Record<string, string>>;

const path = join(import.meta.dirname, "../../../http/social/social-backends.json");

/** The facts of all providers, by name. */
export const facts: readonly Fact[] = JSON.parse(readFileSync(path, "utf8"));

import { generateKeyPairSync } from "node:crypto";
import type { Fact, Texts } from "./facts.ts";

/** Keycloak's realm signs with it. */
export const realmKey = generateKeyPairSync("rsa", { modulusLength: 2048 });

const body = realmKey.publicKey
  .export({ type: "spki", format: "pem" })
  .toString()
  .replace(/-----[^-]+-----|\s+/g, "");

const values: Texts = {
  url: "https://git.example.net",
  api_url: "https://git.example.net/api/v3",
  base_url: "https://login.example.net",
  pool_domain: "https://pool.example.net",
  authorization_url: "https://realm.example.net/auth",
  access_token_url: "https://realm.example.net/token",
  public_key: body,
  origin: "https://app.example.com",
  public_name: "PUBLIC",
  slug: "acme",
  name: "acme",
  id: "4711",
};

/** Their values stand in the environment, never in a manifest. */
const secretNames: ReadonlySet<string> = new Set(["api_key"]);

/** What an app declares of a provider, as far as it must. */
export function declaredFor({ name, required_settings: required }: Fact) {
  const settings = required.filter((setting) => !secretNames.has(setting));
  const secrets = required.filter((setting) => secretNames.has(setting));
  return {
    settings: Object.fromEntries(settings.map((setting) => [setting, values[setting] ?? "unknown"])),
    secrets: Object.fromEntries([
      ["SECRET", `secret-of-${name}`],
      ...secrets.map((secret) => [secret.toUpperCase(), `${secret}-of-${name}`]),
    ]),
  };
}

/** What stands for a name in an address or a parameter of the facts; `known` are values of the conversation. */
export function fillFact(fact: Fact, template: string, known: Texts): string {
  return template.replace(/\{([^{}]+)\}/g, (_, key: string) => {
    const value = textOf(fact, key) ?? known[key];
    if (value === undefined) throw new Error(`the facts of ${fact.name} have an unknown {${key}}`);
    return value;
  });
}

function textOf(fact: Fact, key: string): string | undefined {
  if (key === "client_id") return `id-of-${fact.name}`;
  if (key === "client_secret") return `secret-of-${fact.name}`;
  if (!fact.required_settings.includes(key)) return fact.extra.defaults?.[key];
  return secretNames.has(key) ? `${key}-of-${fact.name}` : values[key];
}

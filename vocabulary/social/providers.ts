import { didYouMean } from "../nearest.ts";
import { customFlowProviders, samlProvider } from "./custom-flow-providers.ts";
import { oauth1Providers } from "./oauth1-providers.ts";
import { oauth2Providers } from "./oauth2-providers.ts";
import { openIdConnectProviders } from "./openid-connect-providers.ts";
import { openId2Providers } from "./openid2-providers.ts";
import type { SocialProvider } from "./provider.ts";
import { secretsRequired, secretVariable } from "./provider-settings.ts";

/** All providers, by their name in the manifest. */
export const socialProviders: ReadonlyMap<string, SocialProvider> = new Map<string, SocialProvider>(
  Object.entries({
    ...oauth2Providers,
    ...openIdConnectProviders,
    ...oauth1Providers,
    ...openId2Providers,
    ...customFlowProviders,
    saml: samlProvider,
  }),
);

const oidcName = /^oidc:([a-z][a-z0-9-]*)$/;

/** Returns the row of a provider; `oidc:<name>` has the row of `oidc`, with its name as the title. */
export function providerRow(name: string): SocialProvider | undefined {
  const [, title] = oidcName.exec(name) ?? [];
  const oidc = openIdConnectProviders["oidc"];
  return title === undefined || oidc === undefined ? socialProviders.get(name) : { ...oidc, title };
}

const stateless = "its callback has no state, so an attacker could sign another user in";
const builtInSignIn = "the service has its own sign-in by password";

/** Known providers that Kirak refuses, with the reason. */
export const refusedProviders: ReadonlyMap<string, string> = new Map([
  ["email", builtInSignIn],
  ["username", builtInSignIn],
  ["exacttarget", stateless],
  ["facebook-app", stateless],
  ["facebook-limited-login", stateless],
  ["odnoklassniki-app", stateless],
  ["vk-app", stateless],
]);

/** Returns the hint for a secret in the manifest. */
export function secretHint(provider: string, setting: string): string {
  const row = providerRow(provider);
  if (row === undefined) return "remove it: secrets are environment variables";
  const read = secretsRequired(row)
    .flat()
    .map((one) => secretVariable(provider, one));
  const variable = secretVariable(provider, setting);
  if (read.includes(variable)) return `set the environment variable ${variable}`;
  return `remove it: "${provider}" reads ${read.length === 0 ? "no secret" : `only ${read.join(" and ")}`}`;
}

/** Returns the error and the hint for a name that `auth.social_providers` cannot have; otherwise null. */
export function providerNameProblem(
  name: string,
): { readonly message: string; readonly hint: string } | null {
  if (providerRow(name) !== undefined) return null;
  const reason = refusedProviders.get(name);
  if (reason !== undefined) return { message: `"${name}" cannot be used for sign-in`, hint: reason };
  return {
    message: `"${name}" is not a sign-in provider`,
    hint: name.startsWith("oidc:")
      ? "name it oidc:<name>: lower-case letters, digits and hyphens, such as oidc:acme"
      : (didYouMean(name, socialProviders.keys()) ??
        "docs/social.md lists them; oidc is for any server of OpenID Connect"),
  };
}

import { didYouMean } from "../nearest.ts";
import { oauth1Providers } from "./oauth1-providers.ts";
import { oauth2Providers } from "./oauth2-providers.ts";
import { openIdConnectProviders } from "./openid-connect-providers.ts";
import { openId2Providers } from "./openid2-providers.ts";
import { ownFlowProviders, saml } from "./own-flow-providers.ts";
import type { SocialProvider } from "./provider.ts";

/** Every provider that people can sign in with, by the name that the manifest declares it by (contract: "Social sign-in", 1). */
export const socialProviders: ReadonlyMap<string, SocialProvider> = new Map<string, SocialProvider>(
  Object.entries({
    ...oauth2Providers,
    ...openIdConnectProviders,
    ...oauth1Providers,
    ...openId2Providers,
    ...ownFlowProviders,
    saml,
  }),
);

const stateless = "its page cannot carry a state, so that anybody could be signed in as somebody else";
const ownForm = "the service has a sign-in by password of its own";

/** Names that the contract's library has too, and why no service starts with them (decisions, part 9). */
export const refusedProviders: ReadonlyMap<string, string> = new Map([
  ["email", ownForm],
  ["username", ownForm],
  ["exacttarget", stateless],
  ["facebook-app", stateless],
  ["facebook-limited-login", stateless],
  ["odnoklassniki-app", stateless],
  ["vk-app", stateless],
]);

/** Why a name cannot be declared in `auth.social_providers`, and what helps; null where it can. */
export function nameProblem(name: string): { readonly message: string; readonly hint: string } | null {
  if (socialProviders.has(name)) return null;
  const reason = refusedProviders.get(name);
  if (reason !== undefined) return { message: `"${name}" cannot be used for sign-in`, hint: reason };
  return {
    message: `"${name}" is no provider of sign-in`,
    hint:
      didYouMean(name, socialProviders.keys()) ??
      "docs/social.md lists them; oidc takes any server of OpenID Connect",
  };
}

import type { Provider } from "./declared-provider.ts";

/** Whether a provider answers by a POST from its own site, which brings no cookie that is for this site alone. */
export function answersByPost({ row }: Provider): boolean {
  return row.protocol === "saml" || (row.protocol === "oidc" && row.formPost === true);
}

/** Whether a POST is taken at a provider's callback: also where a page of the app sends what the provider gave it. */
export function isPosted(provider: Provider): boolean {
  const { row } = provider;
  return answersByPost(provider) || (row.protocol === "own" && row.authorize === undefined);
}

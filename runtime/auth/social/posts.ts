import type { Provider } from "./declared-provider.ts";

/** Whether a provider answers by a POST from its own site, which brings no cookie that is for this site alone. */
export function answersByPost({ row }: Provider): boolean {
  return row.protocol === "saml" || (row.protocol === "oidc" && row.formPost === true);
}

/**
 * The methods that a provider's callback takes. A POST also where a page of the app sends what the provider gave it; no GET
 * where that would put an assertion into an address.
 */
export function callbackMethods(provider: Provider): readonly ("GET" | "POST")[] {
  const { row } = provider;
  if (row.protocol === "saml") return ["POST"];
  const isPosted = answersByPost(provider) || (row.protocol === "own" && row.authorize === undefined);
  return isPosted ? ["GET", "POST"] : ["GET"];
}

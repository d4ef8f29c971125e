import { createPrivateKey, type KeyObject } from "node:crypto";
import type { SAML } from "@node-saml/node-saml";
import type { SamlProvider } from "../../../../../vocabulary/social/provider.ts";
import type { Provider } from "../../declared-provider.ts";
import { SocialFailure } from "../../social-failure.ts";
import type { IdentityProvider } from "./identity-providers.ts";

/** How far clocks may differ, and how old an assertion may be, in milliseconds. */
const clockTolerance = 30_000;
const longestAge = 600_000;

/**
 * The library, set up for one request: what it would store of requests follows from the state, so that an answer to any other
 * is refused. It is an optional package, and loaded where somebody declares the provider.
 */
export async function samlFor(
  provider: Provider<SamlProvider>,
  { url, certificates }: IdentityProvider,
  requestId: string,
): Promise<SAML> {
  const { SAML: Library, ValidateInResponseTo } = await import("@node-saml/node-saml");
  const privateKey = privateKeyOf(provider.secret("sp_private_key") ?? "");
  const issuer = provider.text("sp_entity_id") ?? "";
  return new Library({
    callbackUrl: provider.callbackUrl,
    entryPoint: url,
    issuer,
    audience: issuer,
    idpCert: [...certificates],
    privateKey,
    decryptionPvk: privateKey,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    // One of the two must be signed; the library takes nothing that is not below a signature.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    // Which id and which factors somebody signs in with is for the identity provider to say.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: clockTolerance,
    maxAssertionAgeMs: longestAge,
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
  });
}

/** In place of a store of requests: there is this one. */
function onlyRequest(requestId: string) {
  const begun = new Date().toISOString();
  return {
    saveAsync: () => Promise.resolve(null),
    getAsync: (id: string) => Promise.resolve(id === requestId ? begun : null),
    removeAsync: () => Promise.resolve(null),
  };
}

/** A key in PEM, or what stands between its first and last line. Errors: `SocialFailure`. */
function privateKeyOf(text: string): string {
  const der = Buffer.from(text, "base64");
  const ways: (() => KeyObject)[] = [
    () => createPrivateKey(text),
    () => createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
    () => createPrivateKey({ key: der, format: "der", type: "pkcs1" }),
  ];
  for (const read of ways) {
    try {
      return read().export({ format: "pem", type: "pkcs8" }).toString();
    } catch {
      // Another form, or none.
    }
  }
  throw new SocialFailure("sp_private_key is no private key in PEM");
}

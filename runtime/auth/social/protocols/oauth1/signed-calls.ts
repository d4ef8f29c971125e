import { randomBytes } from "node:crypto";
import type { Provider } from "../../declared-provider.ts";
import type { Outbound, OutboundAnswer } from "../../outbound/index.ts";
import { requireSuccess } from "../calls.ts";
import type { Surroundings } from "../protocol.ts";
import { authorizationHeader, type Credentials, oauth1Signature, signatureBase } from "./oauth1-signature.ts";

/** A call that is about to be signed. */
export interface SignedCall {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** Null before there is one. */
  readonly token: Credentials | null;
  /** `oauth_callback` or `oauth_verifier`. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** For messages. */
  readonly what: string;
}

/** Makes the calls of OAuth 1.0a: each has a nonce and a moment of its own, and a signature (RFC 5849, 3.1). */
export class SignedCalls {
  readonly #outbound: Outbound;
  readonly #now: () => number;

  constructor({ outbound, now }: Surroundings) {
    this.#outbound = outbound;
    this.#now = now;
  }

  /** What came back, and the nonce that it answers. Errors: `SocialFailure` where the status is not 2xx. */
  async send(provider: Provider, call: SignedCall): Promise<OutboundAnswer & { readonly nonce: string }> {
    const { method, url, token, what } = call;
    const nonce = randomBytes(16).toString("hex");
    const app = { key: provider.clientId, secret: provider.clientSecret };
    const parameters = {
      ...call.parameters,
      oauth_consumer_key: app.key,
      oauth_nonce: nonce,
      oauth_signature_method: "HMAC-SHA1",
      oauth_timestamp: String(Math.floor(this.#now() / 1000)),
      ...(token !== null && { oauth_token: token.key }),
      oauth_version: "1.0",
    };
    const oauth_signature = oauth1Signature(signatureBase(method, url, parameters), app, token);
    const headers = {
      ...call.headers,
      authorization: authorizationHeader({ ...parameters, oauth_signature }),
    };
    const body = method === "POST" ? { body: "" } : {};
    const answer = await this.#outbound.send({ method, url, headers, ...body });
    return { ...requireSuccess(answer, what), nonce };
  }
}

import { createHmac } from "node:crypto";
import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import { isSameText } from "../../../crypto/same-text.ts";
import type { Answers } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import { SocialFailure } from "../../social-failure.ts";
import { requireSent } from "../code.ts";
import type { Arrival, Login, Protocol } from "../protocol.ts";
import { returnAddress } from "../return-address.ts";

type Row = OwnFlowProvider;

/** DiscourseConnect: a form in base64 and its HMAC go there and come back. */
export const discourse: Protocol<Row> = {
  begin: ({ provider, state, secrets }: Login<Row>) => {
    const form = { nonce: secrets.nonce, return_sso_url: returnAddress(provider, state) };
    const sso = Buffer.from(new URLSearchParams(form).toString()).toString("base64");
    const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
    location.searchParams.set("sso", sso);
    location.searchParams.set("sig", signatureOf(provider, sso));
    return Promise.resolve({ location });
  },
  finish: ({ provider, form, secrets }: Arrival<Row>): Promise<Answers> => {
    const sso = requireSent(form, "sso");
    if (!isSameText(signatureOf(provider, sso), requireSent(form, "sig")))
      throw new SocialFailure("the signature is wrong");
    const told = new URLSearchParams(Buffer.from(sso, "base64").toString("utf8"));
    if (!isSameText(secrets.nonce, told.get("nonce") ?? "")) throw new SocialFailure("another nonce");
    if (told.get("failed") === "true") throw new SocialFailure("the person refused");
    return Promise.resolve({ form: Object.fromEntries(told) });
  },
};

function signatureOf({ clientSecret }: Provider, sso: string): string {
  return createHmac("sha256", clientSecret).update(sso).digest("hex");
}

import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import type { Answers } from "../../conversation/paths.ts";
import { documentOf } from "../../outbound/index.ts";
import { formType } from "../calls.ts";
import { refuseRefusal, requireSent } from "../code.ts";
import type { Arrival, Login, Protocol, Surroundings } from "../protocol.ts";
import { returnAddress } from "../return-address.ts";
import { md5 } from "../signatures.ts";

type Row = OwnFlowProvider;

/** Last.fm: the browser brings a token, which a signed call exchanges for a session. */
export function lastfm({ outbound }: Surroundings): Protocol<Row> {
  return {
    begin: ({ provider, state }: Login<Row>) => {
      const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
      location.searchParams.set("cb", returnAddress(provider, state));
      return Promise.resolve({ location });
    },
    finish: async ({ provider, form }: Arrival<Row>): Promise<Answers> => {
      refuseRefusal(form);
      const signed = {
        api_key: provider.clientId,
        method: "auth.getSession",
        token: requireSent(form, "token"),
      };
      const text = Object.entries(signed).flat().join("");
      const body = new URLSearchParams({
        ...signed,
        api_sig: md5(`${text}${provider.clientSecret}`),
        format: "json",
      });
      const url = provider.endpoint("access_token_url", provider.row.token ?? "");
      const answer = await outbound.ask({ method: "POST", url, headers: formType, body: body.toString() });
      return { form: Object.fromEntries(form), token: documentOf(answer) };
    },
  };
}

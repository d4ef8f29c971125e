import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import type { Answers } from "../../conversation/paths.ts";
import { SocialFailure } from "../../social-failure.ts";
import { refuseRefusal, requireSent } from "../code.ts";
import type { Arrival, Login, Protocol } from "../protocol.ts";
import { returnAddress } from "../return-address.ts";

type Row = OwnFlowProvider;

/** Twilio Connect: the number of an account comes back, and nothing that proves it. */
export const twilio: Protocol<Row> = {
  begin: ({ provider, state }: Login<Row>) => {
    const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
    location.searchParams.set("cb", returnAddress(provider, state));
    return Promise.resolve({ location });
  },
  finish: async ({ form }: Arrival<Row>): Promise<Answers> => {
    refuseRefusal(form);
    if (!/^AC[0-9a-f]{32}$/i.test(requireSent(form, "AccountSid")))
      throw new SocialFailure("it is no number of an account");
    return { form: Object.fromEntries(form) };
  },
};

import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import { type Answers, readPath } from "../../conversation/paths.ts";
import { documentOf } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import { ask } from "../calls.ts";
import { requireSent } from "../code.ts";
import type { Arrival, Protocol, Surroundings } from "../protocol.ts";

type Row = OwnFlowProvider;

/** LoginRadius: its widget gives the page a token, which is exchanged with the app's secret. */
export function loginRadius(surroundings: Surroundings): Protocol<Row> {
  const { outbound } = surroundings;
  return {
    begin: null,
    finish: async ({ provider, form }: Arrival<Row>): Promise<Answers> => {
      const url = provider.endpoint("access_token_url", provider.row.token ?? "");
      url.searchParams.set("token", requireSent(form, "token"));
      url.searchParams.set("secret", provider.clientSecret);
      const token = documentOf(await outbound.ask({ method: "POST", url, body: "" }));
      const accessToken = readPath("access_token", { profile: token });
      const { profile: call } = provider.row;
      if (accessToken === null || call === undefined) throw new SocialFailure("there was no access token");
      const answers: Answers = { form: Object.fromEntries(form), token };
      const parts = { call, setting: "userinfo_url", accessToken, lookup: provider.lookup(answers) };
      return { ...answers, profile: await ask(surroundings, provider, parts) };
    },
  };
}

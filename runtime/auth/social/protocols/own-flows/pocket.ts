import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import { invalid } from "../../../../errors/index.ts";
import { type Answers, readPath } from "../../conversation/paths.ts";
import { type Document, documentOf, type Outbound } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import { formType } from "../calls.ts";
import { refuseRefusal, usedOrElsewhere } from "../code.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "../protocol.ts";
import { returnAddress } from "../return-address.ts";

type Row = OwnFlowProvider;

/** Pocket: its code comes before the browser goes there, and travels sealed with it; the app has no secret. */
export function pocket({ outbound }: Surroundings): Protocol<Row> {
  return {
    begin: (login) => begin(outbound, login),
    finish: (arrival) => finish(outbound, arrival),
  };
}

async function begin(outbound: Outbound, { provider, state }: Login<Row>): Promise<Departure> {
  const redirect_uri = returnAddress(provider, state);
  const url = provider.endpoint("request_token_url", provider.row.request ?? "");
  const profile = await post(outbound, url, { consumer_key: provider.clientId, redirect_uri });
  const code = readPath("code", { profile });
  if (code === null) throw new SocialFailure("there was no code");
  const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
  location.searchParams.set("request_token", code);
  location.searchParams.set("redirect_uri", redirect_uri);
  return { location, secret: code };
}

async function finish(outbound: Outbound, { provider, form, secret: code }: Arrival<Row>): Promise<Answers> {
  refuseRefusal(form);
  if (code === null) throw invalid([{ field: "state", message: usedOrElsewhere }]);
  const url = provider.endpoint("access_token_url", provider.row.token ?? "");
  return {
    form: Object.fromEntries(form),
    token: await post(outbound, url, { consumer_key: provider.clientId, code }),
  };
}

async function post(outbound: Outbound, url: URL, form: Readonly<Record<string, string>>): Promise<Document> {
  const headers = { ...formType, "x-accept": "application/json" };
  const body = new URLSearchParams(form).toString();
  return documentOf(await outbound.ask({ method: "POST", url, headers, body }));
}

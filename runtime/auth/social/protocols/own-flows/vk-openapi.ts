import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import { isSameText } from "../../../crypto/same-text.ts";
import type { Answers } from "../../conversation/paths.ts";
import { SocialFailure } from "../../social-failure.ts";
import { requireSent } from "../code.ts";
import type { Arrival, Protocol, Surroundings } from "../protocol.ts";
import { md5 } from "../signatures.ts";

type Row = OwnFlowProvider;

/**
 * VK Open API: its script sets a cookie at the app's own site, signed with the app's secret. It is good until it ends, whoever
 * brings it.
 */
export function vkOpenApi({ now }: Surroundings): Protocol<Row> {
  return { begin: null, finish: async (arrival) => finish(now() / 1000, arrival) };
}

function finish(now: number, { provider, form, cookies }: Arrival<Row>): Answers {
  const id = requireSent(form, "id");
  const cookie = new URLSearchParams(cookies.get(`vk_app_${provider.text("app_id")}`) ?? "");
  const text = ["expire", "mid", "secret", "sid"].map((name) => `${name}=${cookie.get(name) ?? ""}`).join("");
  if (!isSameText(md5(`${text}${provider.clientSecret}`), cookie.get("sig") ?? ""))
    throw new SocialFailure("the cookie of the provider is missing, or its signature is wrong");
  if (!(Number(cookie.get("expire")) > now)) throw new SocialFailure("the session at the provider has ended");
  // What the page posts proves nothing: the cookie does.
  if (cookie.get("mid") !== id) throw new SocialFailure("the session is somebody else's");
  return { form: Object.fromEntries(form) };
}

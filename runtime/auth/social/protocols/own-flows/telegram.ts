import { createHash, createHmac } from "node:crypto";
import type { OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import { isSameText } from "../../../crypto/same-text.ts";
import type { Answers } from "../../conversation/paths.ts";
import { SocialFailure } from "../../social-failure.ts";
import { requireSent } from "../code.ts";
import type { Arrival, Protocol, Surroundings } from "../protocol.ts";

type Row = OwnFlowProvider;

/** How old an answer may be, and how far clocks may differ, in seconds. */
const longestAge = 86_400;
const clockTolerance = 30;

/** What the page puts beside the fields that Telegram has signed. */
const ours = new Set(["hash", "state"]);

/**
 * Telegram's login widget: it gives the page who somebody is, signed with the token of the bot. What it gives knows nothing of
 * the state, and is good for a day whoever brings it: the page must keep it to itself.
 */
export function telegram({ now }: Surroundings): Protocol<Row> {
  return { begin: null, finish: async (arrival) => finish(now() / 1000, arrival) };
}

function finish(now: number, { provider, form }: Arrival<Row>): Answers {
  for (const name of ["id", "auth_date"]) requireSent(form, name);
  const signed = [...form].filter(([name]) => !ours.has(name));
  // The signature covers lines: one field with a line break could pass as two.
  if (signed.flat().some((part) => /[\r\n]/.test(part)))
    throw new SocialFailure("a field holds a line break");
  const text = signed
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n");
  const key = createHash("sha256")
    .update(provider.secret("bot_token") ?? "")
    .digest();
  const expected = createHmac("sha256", key).update(text).digest("hex");
  if (!isSameText(expected, requireSent(form, "hash"))) throw new SocialFailure("the hash is wrong");
  const age = now - Number(form.get("auth_date"));
  if (!(age <= longestAge && age >= -clockTolerance)) throw new SocialFailure("the answer is not of today");
  return { form: Object.fromEntries(signed) };
}

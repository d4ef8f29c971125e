import type { OwnFlow, OwnFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import type { KeySets } from "../key-sets.ts";
import type { Protocol, Surroundings } from "../protocol.ts";
import { discourse } from "./discourse.ts";
import { googleOneTap } from "./google-onetap.ts";
import { lastfm } from "./lastfm.ts";
import { loginRadius } from "./loginradius.ts";
import { pocket } from "./pocket.ts";
import { telegram } from "./telegram.ts";
import { twilio } from "./twilio-connect.ts";
import { vkOpenApi } from "./vk-openapi.ts";

/** Ways to sign in that one provider has, and no standard. */
export function ownFlows(
  surroundings: Surroundings,
  keys: KeySets,
): Readonly<Record<OwnFlow, Protocol<OwnFlowProvider>>> {
  return {
    discourse,
    "google-onetap": googleOneTap(keys),
    lastfm: lastfm(surroundings),
    loginradius: loginRadius(surroundings),
    pocket: pocket(surroundings),
    telegram: telegram(surroundings),
    twilio,
    "vk-openapi": vkOpenApi(surroundings),
  };
}

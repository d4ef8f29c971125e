import type { OpenIdConnectProvider } from "../../../../vocabulary/social/provider.ts";
import { isUuid } from "../../../../vocabulary/uuid.ts";
import { fillText } from "../conversation/fill-template.ts";
import { readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, member } from "../outbound/index.ts";
import { SocialFailure } from "../social-failure.ts";

/** Refuses claims that are not what the settings say: another tenant, another policy. Errors: `SocialFailure`. */
export function requireClaims(provider: Provider<OpenIdConnectProvider>, claims: Document): void {
  for (const [path, template] of Object.entries(provider.row.claims ?? {})) {
    const wanted = fillText(template, provider.lookup());
    // `common` and the like stand for any tenant.
    if (path === "tid" && !isUuid(wanted)) continue;
    if (readPath(path, { profile: claims })?.toLowerCase() !== wanted.toLowerCase())
      throw new SocialFailure("a claim is not what the settings ask for");
  }
}

/** Groups and the like, one of which somebody must have where the settings list any. Errors: `SocialFailure`. */
export function requireAllowed(provider: Provider<OpenIdConnectProvider>, profile: Document): void {
  for (const [ways, setting] of Object.entries(provider.row.allowed ?? {})) {
    const allowed = provider.list(setting);
    const held = ways.split("|").flatMap((way) => way.split(".").reduce(member, profile));
    if (allowed !== null && !allowed.some((one) => held.includes(one)))
      throw new SocialFailure(`nothing of "${setting}" is among the claims`);
  }
}

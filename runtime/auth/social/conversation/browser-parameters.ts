import type { BrowserParameter } from "../../../../vocabulary/social/provider.ts";
import { invalid } from "../../../errors/index.ts";

/** They become a part of an address, so that nothing else may be in them (decisions, part 9). */
const patterns: Readonly<Record<BrowserParameter, RegExp>> = {
  shop: /^[a-z0-9][a-z0-9-]{0,61}\.myshopify\.com$/i,
  openid_lj_user: /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i,
  openid_identifier: /^.{1,512}$/,
  domain_prefix: /^[a-z0-9-]{1,63}$/i,
  idp: /^[\w-][\w.-]{0,62}$/,
};

/** The value of a parameter that a provider needs. Errors: 400 `VALIDATION_ERROR` where it is missing or malformed. */
export function requireParameter(name: BrowserParameter, value: string | null | undefined): string {
  if (value == null || value === "") throw invalid([{ field: name, message: "is required" }]);
  if (!patterns[name].test(value)) throw invalid([{ field: name, message: "is malformed" }]);
  return value;
}

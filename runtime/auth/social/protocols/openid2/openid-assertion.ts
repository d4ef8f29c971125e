import { invalid } from "../../../../errors/index.ts";
import type { Outbound } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";
import { formType } from "../calls.ts";

/** The version of the protocol, which each message names. */
export const openId2 = "http://specs.openid.net/auth/2.0";

/** What a server must sign (OpenID 2.0, 10.1). */
const mustBeSigned = ["op_endpoint", "return_to", "response_nonce", "assoc_handle", "claimed_id", "identity"];

/** How old an answer may be, and how far clocks may differ, in milliseconds. */
const longestAge = 300_000;
const clockTolerance = 60_000;

/** The fields that the server says it has signed, without `openid.` before their names. Errors: 400 `VALIDATION_ERROR`, `SocialFailure`. */
export function signedFields(form: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const mode = form.get("openid.mode") ?? "";
  if (mode === "") throw invalid([{ field: "openid.mode", message: "is required" }]);
  if (mode === "cancel") throw new SocialFailure("the user refused", "cancelled");
  if (mode !== "id_res") throw new SocialFailure("the provider refused");
  if (form.get("openid.ns") !== openId2) throw new SocialFailure("it is another version of OpenID");
  const names = (form.get("openid.signed") ?? "").split(",");
  const fields = new Map(names.map((name) => [name, form.get(`openid.${name}`) ?? ""]));
  if (!mustBeSigned.every((name) => fields.has(name) && fields.get(name) !== ""))
    throw new SocialFailure("a field that counts is not signed");
  return fields;
}

/** The moment of an answer stands at the front of what makes it unique. Errors: `SocialFailure`. */
export function requireFresh(nonce: string, now: number): void {
  const [, moment = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)[\x21-\x7e]*$/.exec(nonce) ?? [];
  const age = now - Date.parse(moment);
  if (!(age <= longestAge && age >= -clockTolerance)) throw new SocialFailure("the answer is not of now");
}

/**
 * Asks the server whether it has signed this (OpenID 2.0, 11.4.2). It says so once: an answer that comes again is none. Errors:
 * `SocialFailure`.
 */
export async function requireSigned(
  outbound: Outbound,
  endpoint: URL,
  form: ReadonlyMap<string, string>,
): Promise<void> {
  const fields = [...form].filter(([name]) => name.startsWith("openid."));
  const asked = new Map([...fields, ["openid.mode", "check_authentication"] as const]);
  const body = new URLSearchParams([...asked]).toString();
  const { text } = await outbound.ask({ method: "POST", url: endpoint, headers: formType, body });
  if (!text.split("\n").some((line) => line.trim() === "is_valid:true"))
    throw new SocialFailure("the server did not sign this");
}

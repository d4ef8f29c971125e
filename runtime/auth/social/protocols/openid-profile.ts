import { isJsonObject } from "../../../../vocabulary/json.ts";
import { type Document, member } from "../outbound/index.ts";
import { SocialFailure } from "../social-failure.ts";

/**
 * What userinfo and the id_token say of one person; userinfo goes first. Errors: `SocialFailure` where userinfo is about
 * somebody else.
 */
export function profileOf(claims: Document, userinfo: Document): Document {
  if (!isJsonObject(claims) || !isJsonObject(userinfo))
    throw new SocialFailure("the answer of userinfo is no object");
  if (member(userinfo, "sub") !== member(claims, "sub"))
    throw new SocialFailure("userinfo is about somebody else");
  const told = Object.fromEntries(
    Object.entries(userinfo).filter(([, value]) => value !== null && value !== ""),
  );
  // Whether an e-mail was verified is said of the e-mail beside it, and of no other.
  if (!("email" in told)) return { ...claims, ...unconfirmed(told) };
  const isSame = member(told, "email") === member(claims, "email");
  return { ...(isSame ? claims : unconfirmed(claims)), ...told };
}

function unconfirmed({ email_verified: _, ...others }: Readonly<Record<string, unknown>>): object {
  return others;
}

import { deepStrictEqual, equal } from "node:assert/strict";
import type { Heard } from "../player.ts";
import type { Texts } from "./facts.ts";
import { computed } from "./signatures.ts";
import { checkHeaders, filled, type Told } from "./told.ts";

/** A call with the access token. Throws where anything in it is not as the facts say. */
export function checkCall(
  told: Told,
  { url, headers, method, body, form }: Heard,
  address: URL,
  params: Texts = {},
): void {
  const { userinfo_auth: carrier = "scheme:Bearer", userinfo_headers } = told.fact.extra;
  const [way, name = ""] = carrier.split(":");
  const token = told.accessToken;
  const plain = {
    ...Object.fromEntries(address.searchParams),
    ...filled(told, Object.fromEntries(Object.entries(params).filter(([, text]) => !/\(|^\{md5/.test(text)))),
    ...(way === "query" && { [name]: token }),
  };
  const signed = Object.entries(params).flatMap(([parameter, text]) => {
    const signature = computed(text, plain, token, told.secret);
    return signature === null ? [] : [[parameter, signature]];
  });
  deepStrictEqual(Object.fromEntries(url.searchParams), { ...plain, ...Object.fromEntries(signed) });
  equal(headers.authorization, way === "scheme" ? `${name} ${token}` : undefined);
  if (way === "header") equal(headers[name.toLowerCase()], token);
  if (way === "form") deepStrictEqual(Object.fromEntries(form), { [name]: token });
  else equal(body, "");
  if (method === "POST" && body === "")
    equal(headers["content-type"], undefined, "an empty body has no type");
  checkHeaders(headers, filled(told, withoutAny(userinfo_headers ?? {})));
}

/** That there is a User-Agent is checked of every call. */
function withoutAny(headers: Texts): Texts {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "User-Agent"));
}

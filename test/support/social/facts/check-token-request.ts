import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Heard } from "../player.ts";
import type { Texts } from "./facts.ts";
import { checkHeaders, filled, type Told } from "./told.ts";

/**
 * The parameters of a token request. Throws where anything in it is not as the facts say, or is more than they say;
 * `challenge` is the login's.
 */
export function checkTokenRequest(told: Told, heard: Heard, address: URL, challenge: string | null): Texts {
  const { token_method: method } = told.fact;
  const own = Object.fromEntries(address.searchParams);
  const query = Object.fromEntries(heard.url.searchParams);
  if (method === "POST") deepStrictEqual(query, own, "the query of the token request");
  const sent = method === "GET" ? query : bodyOf(told, heard);
  check(told, heard, sent, method === "GET" ? own : {}, challenge);
  return sent;
}

function bodyOf(told: Told, { headers, body, form }: Heard): Texts {
  const isJson = told.fact.extra.token_body === "json";
  const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
  equal(String(headers["content-type"]).split(";")[0], type);
  return isJson ? JSON.parse(body) : Object.fromEntries(form);
}

function check(told: Told, { headers }: Heard, sent: Texts, own: Texts, challenge: string | null): void {
  const { token_auth: auth, extra } = told.fact;
  const { tokenWithout = [], tokenMay = [], redirectParameter = "redirect_uri", pkce } = told.note;
  const { code: _, code_verifier: verifier, ...rest } = sent;
  const inBody = auth === "body" || told.note.credentialsTwice === true;
  const expected: Record<string, string> = {
    ...own,
    grant_type: "authorization_code",
    [redirectParameter]: told.callbackUrl,
    ...(inBody && { [extra.client_id_param ?? "client_id"]: told.id }),
    ...(inBody &&
      told.note.secretElsewhere !== true && {
        [extra.client_secret_param ?? "client_secret"]: told.secret,
      }),
    ...filled(told, extra.token_params),
  };
  for (const name of tokenWithout) delete expected[name];
  for (const name of tokenMay) if (!(name in rest)) delete expected[name];
  deepStrictEqual(rest, expected, "the parameters of the token request");
  if (pkce === "none") equal(verifier, undefined);
  else {
    ok(/^[\w.~-]{43,128}$/.test(verifier ?? ""), "a verifier");
    const digest = createHash("sha256")
      .update(verifier ?? "")
      .digest(pkce === "hex" ? "hex" : "base64url");
    equal(digest, challenge, "the challenge of the verifier");
  }
  const basic = `Basic ${Buffer.from(`${told.id}:${told.secret}`).toString("base64")}`;
  const wanted = {
    ...(auth === "basic" && { Authorization: basic }),
    ...filled(told, extra.token_headers),
  };
  checkHeaders(headers, wanted);
  if (!("Authorization" in wanted)) equal(headers.authorization, undefined);
}

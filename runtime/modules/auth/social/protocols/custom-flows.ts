import { createHash, createHmac } from "node:crypto";
import type { CustomFlow, CustomFlowProvider } from "../../../../../vocabulary/social/provider.ts";
import { invalid } from "../../../../core/errors/index.ts";
import { isSameText } from "../../crypto/hash.ts";
import { type Answers, readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, type Outbound } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { requireField, requireNoError, returnAddress, usedStateMessage } from "./browser-parameters.ts";
import { formType, md5, requestDocument } from "./calls.ts";
import { claimsOf } from "./id-token.ts";
import type { KeySets } from "./key-sets.ts";
import type { AuthorizationRequest, Login, Protocol, ProtocolContext, ProviderCallback } from "./protocol.ts";

type Row = CustomFlowProvider;

/** DiscourseConnect: request and callback are forms in base64 with an HMAC. */
const discourse: Protocol<Row> = {
  begin: ({ provider, state, secrets }: Login<Row>) => {
    const form = { nonce: secrets.nonce, return_sso_url: returnAddress(provider, state) };
    const sso = Buffer.from(new URLSearchParams(form).toString()).toString("base64");
    const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
    location.searchParams.set("sso", sso);
    location.searchParams.set("sig", signatureOf(provider, sso));
    return Promise.resolve({ location });
  },
  finish: ({ provider, form, secrets }: ProviderCallback<Row>): Promise<Answers> => {
    const sso = requireField(form, "sso");
    if (!isSameText(signatureOf(provider, sso), requireField(form, "sig")))
      throw new SocialFailure("the signature is wrong");
    const fields = new URLSearchParams(Buffer.from(sso, "base64").toString("utf8"));
    if (!isSameText(secrets.nonce, fields.get("nonce") ?? "")) throw new SocialFailure("another nonce");
    if (fields.get("failed") === "true") throw new SocialFailure("the user refused");
    return Promise.resolve({ form: Object.fromEntries(fields) });
  },
};

function signatureOf({ clientSecret }: Provider, sso: string): string {
  return createHmac("sha256", clientSecret).update(sso).digest("hex");
}

/** Google One Tap: its script posts an id_token, and a CSRF token that must match a cookie of the page. */
function googleOneTap(keys: KeySets): Protocol<Row> {
  return { begin: null, finish: (callback) => finishOneTap(keys, callback) };
}

async function finishOneTap(
  keys: KeySets,
  { provider, form, cookies }: ProviderCallback<Row>,
): Promise<Answers> {
  const credential = requireField(form, "credential");
  const csrf = requireField(form, "g_csrf_token");
  if (!isSameText(cookies.get("g_csrf_token") ?? "", csrf))
    throw refusedCredential("its CSRF token does not match the cookie");
  try {
    await requireGenuine(keys, provider, credential);
  } catch (error) {
    // A message of the library can contain the token.
    throw error instanceof SocialFailure ? error : refusedCredential("a check failed");
  }
  return { id_token: claimsOf(credential) };
}

/** Google's library checks signature, issuer, audience and times, with keys that `KeySets` fetches. */
async function requireGenuine(keys: KeySets, provider: Provider<Row>, credential: string): Promise<void> {
  const { decodeProtectedHeader, exportSPKI } = await import("jose");
  const { OAuth2Client } = await import("google-auth-library");
  const { alg, kid } = decodeProtectedHeader(credential);
  if (alg !== "RS256" || kid === undefined)
    throw refusedCredential("its algorithm is not RS256, or it has no key id");
  const { issuers = [], keys: address = "" } = provider.row.idToken ?? {};
  const find = keys.at(provider.endpoint("jwks_uri", address));
  const key = await find({ alg, kid }, { payload: "", signature: "" });
  if (key instanceof Uint8Array || !("type" in key)) throw refusedCredential("its key is not a public key");
  const own = provider.text("id_token_issuer");
  await new OAuth2Client().verifySignedJwtWithCertsAsync(
    credential,
    { [kid]: await exportSPKI(key) },
    provider.clientId,
    own === null ? [...issuers] : [own],
  );
}

function refusedCredential(reason: string): SocialFailure {
  return new SocialFailure(`the credential was refused: ${reason}`);
}

/** Last.fm: the callback has a token, which a signed call exchanges for a session. */
function lastfm({ outbound }: ProtocolContext): Protocol<Row> {
  return {
    begin: ({ provider, state }: Login<Row>) => {
      const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
      location.searchParams.set("cb", returnAddress(provider, state));
      return Promise.resolve({ location });
    },
    finish: async ({ provider, form }: ProviderCallback<Row>): Promise<Answers> => {
      requireNoError(form);
      const signed = {
        api_key: provider.clientId,
        method: "auth.getSession",
        token: requireField(form, "token"),
      };
      const text = Object.entries(signed).flat().join("");
      const body = new URLSearchParams({
        ...signed,
        api_sig: md5(`${text}${provider.clientSecret}`),
        format: "json",
      });
      const url = provider.endpoint("access_token_url", provider.row.token ?? "");
      const answer = await outbound.ask({ method: "POST", url, headers: formType, body: body.toString() });
      return { form: Object.fromEntries(form), token: documentOf(answer) };
    },
  };
}

/** LoginRadius: its widget gives the page a token. A call with the app's secret exchanges it. */
function loginRadius(context: ProtocolContext): Protocol<Row> {
  const { outbound } = context;
  return {
    begin: null,
    finish: async ({ provider, form }: ProviderCallback<Row>): Promise<Answers> => {
      const url = provider.endpoint("access_token_url", provider.row.token ?? "");
      url.searchParams.set("token", requireField(form, "token"));
      url.searchParams.set("secret", provider.clientSecret);
      const token = documentOf(await outbound.ask({ method: "POST", url, body: "" }));
      const accessToken = readPath("access_token", { profile: token });
      const { profile: call } = provider.row;
      if (accessToken === null || call === undefined)
        throw new SocialFailure("the token response has no access token");
      const answers: Answers = { form: Object.fromEntries(form), token };
      const parts = { call, setting: "userinfo_url", accessToken, lookup: provider.lookup(answers) };
      return { ...answers, profile: await requestDocument(context, provider, parts) };
    },
  };
}

/** Pocket: its code comes before the redirect and is kept in the encrypted cookie. The app has no secret. */
function pocket({ outbound }: ProtocolContext): Protocol<Row> {
  return {
    begin: (login) => beginPocket(outbound, login),
    finish: (callback) => finishPocket(outbound, callback),
  };
}

async function beginPocket(
  outbound: Outbound,
  { provider, state }: Login<Row>,
): Promise<AuthorizationRequest> {
  const redirect_uri = returnAddress(provider, state);
  const url = provider.endpoint("request_token_url", provider.row.request ?? "");
  const profile = await postToPocket(outbound, url, { consumer_key: provider.clientId, redirect_uri });
  const code = readPath("code", { profile });
  if (code === null) throw new SocialFailure("the response has no code");
  const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
  location.searchParams.set("request_token", code);
  location.searchParams.set("redirect_uri", redirect_uri);
  return { location, secret: code };
}

async function finishPocket(
  outbound: Outbound,
  { provider, form, secret: code }: ProviderCallback<Row>,
): Promise<Answers> {
  requireNoError(form);
  if (code === null) throw invalid([{ field: "state", message: usedStateMessage }]);
  const url = provider.endpoint("access_token_url", provider.row.token ?? "");
  return {
    form: Object.fromEntries(form),
    token: await postToPocket(outbound, url, { consumer_key: provider.clientId, code }),
  };
}

async function postToPocket(
  outbound: Outbound,
  url: URL,
  form: Readonly<Record<string, string>>,
): Promise<Document> {
  const headers = { ...formType, "x-accept": "application/json" };
  const body = new URLSearchParams(form).toString();
  return documentOf(await outbound.ask({ method: "POST", url, headers, body }));
}

/** The maximum age of signed data, and the tolerated clock difference, in seconds. */
const longestAge = 86_400;
const clockTolerance = 30;

/** The fields that the hash does not cover. */
const unsigned = new Set(["hash", "state"]);

/**
 * Telegram's login widget: it gives the page the user's identity, signed with the token of the bot. The
 * signed data does not contain the state, and any client can use it for a day: the page must keep it secret.
 */
function telegram({ now }: ProtocolContext): Protocol<Row> {
  return { begin: null, finish: async (callback) => finishTelegram(now() / 1000, callback) };
}

function finishTelegram(now: number, { provider, form }: ProviderCallback<Row>): Answers {
  for (const name of ["id", "auth_date"]) requireField(form, name);
  const signed = [...form].filter(([name]) => !unsigned.has(name));
  // The signature covers lines: one field with a line break could pass as two.
  if (signed.flat().some((part) => /[\r\n]/.test(part)))
    throw new SocialFailure("a field contains a line break");
  const text = signed
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n");
  const key = createHash("sha256")
    .update(provider.secret("bot_token") ?? "")
    .digest();
  const expected = createHmac("sha256", key).update(text).digest("hex");
  if (!isSameText(expected, requireField(form, "hash"))) throw new SocialFailure("the hash is wrong");
  const age = now - Number(form.get("auth_date"));
  if (!(age <= longestAge && age >= -clockTolerance))
    throw new SocialFailure("auth_date is more than a day ago, or in the future");
  return { form: Object.fromEntries(signed) };
}

/** Twilio Connect: the callback has an account id, without any proof. */
const twilio: Protocol<Row> = {
  begin: ({ provider, state }: Login<Row>) => {
    const location = provider.endpoint("authorization_url", provider.row.authorize ?? "");
    location.searchParams.set("cb", returnAddress(provider, state));
    return Promise.resolve({ location });
  },
  finish: async ({ form }: ProviderCallback<Row>): Promise<Answers> => {
    requireNoError(form);
    if (!/^AC[0-9a-f]{32}$/i.test(requireField(form, "AccountSid")))
      throw new SocialFailure("AccountSid is not an account id");
    return { form: Object.fromEntries(form) };
  },
};

/**
 * VK Open API: its script sets a cookie at the app's own site, signed with the app's secret. Any client that
 * has the cookie can use it until it expires.
 */
function vkOpenApi({ now }: ProtocolContext): Protocol<Row> {
  return { begin: null, finish: async (callback) => finishVk(now() / 1000, callback) };
}

function finishVk(now: number, { provider, form, cookies }: ProviderCallback<Row>): Answers {
  const id = requireField(form, "id");
  const cookie = new URLSearchParams(cookies.get(`vk_app_${provider.text("app_id")}`) ?? "");
  const text = ["expire", "mid", "secret", "sid"].map((name) => `${name}=${cookie.get(name) ?? ""}`).join("");
  if (!isSameText(md5(`${text}${provider.clientSecret}`), cookie.get("sig") ?? ""))
    throw new SocialFailure("the cookie of the provider is missing, or its signature is wrong");
  if (!(Number(cookie.get("expire")) > now)) throw new SocialFailure("the session at the provider has ended");
  // Only the cookie is signed.
  if (cookie.get("mid") !== id) throw new SocialFailure("the session belongs to another user");
  return { form: Object.fromEntries(form) };
}

/** The protocols that only one provider has. */
export function customFlows(
  context: ProtocolContext,
  keys: KeySets,
): Readonly<Record<CustomFlow, Protocol<CustomFlowProvider>>> {
  return {
    discourse,
    "google-onetap": googleOneTap(keys),
    lastfm: lastfm(context),
    loginradius: loginRadius(context),
    pocket: pocket(context),
    telegram: telegram(context),
    twilio,
    "vk-openapi": vkOpenApi(context),
  };
}

import { isJsonObject } from "../../../../../vocabulary/json.ts";
import type { OAuth2Provider, ProviderCall } from "../../../../../vocabulary/social/provider.ts";
import { invalid } from "../../../../core/errors/index.ts";
import { type Answers, readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, member, type OutboundResponse, scalar } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import { challengeOf } from "../state/sign-in-state.ts";
import { requireCode, requireParameter } from "./browser-parameters.ts";
import { fillAll, requireSuccess, send } from "./calls.ts";
import { claimsOf } from "./id-token.ts";
import type { AuthorizationRequest, Login, Protocol, ProtocolContext, ProviderCallback } from "./protocol.ts";
import { exchangeCode } from "./token-request.ts";

/** Parses a response. Errors: `SocialFailure`, also if the body reports a failure with status 200. */
function readAnswer(row: Row, answer: OutboundResponse): Document {
  const read = documentOf(answer);
  const document = row.percentEncoded === true ? decoded(read) : read;
  if (isFailure(row, document)) throw new SocialFailure("the provider reported a failure");
  return document;
}

function isFailure({ success = {} }: Row, document: Document): boolean {
  const isRefused = Object.entries(success).some(([path, wanted]) => {
    const value = readPath(path, { profile: document });
    return value !== null && value !== wanted;
  });
  return isRefused || isError(member(document, "error"));
}

/** Values of the error field that mean success. */
const noErrors: ReadonlySet<string | null> = new Set([null, "false", "0", "ok"]);

/** An error is a code, or an object with a code. An object with other keys only is an error too. */
function isError(error: Document): boolean {
  if (!isJsonObject(error) || Object.keys(error).length === 0) return !noErrors.has(scalar(error));
  return !noErrors.has(scalar(error["code"]) ?? scalar(error["error_code"]) ?? "unknown");
}

function decoded(document: Document): Document {
  if (typeof document === "string") return decodeText(document);
  if (Array.isArray(document)) return document.map(decoded);
  if (typeof document !== "object" || document === null) return document;
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, decoded(value)]));
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Makes the row's calls for the user's data, each after the calls whose data it needs. */
class ProfileCalls {
  readonly #context: ProtocolContext;
  readonly #provider: Provider<OAuth2Provider>;
  readonly #accessToken: string;

  constructor(context: ProtocolContext, provider: Provider<OAuth2Provider>, accessToken: string) {
    this.#context = context;
    this.#provider = provider;
    this.#accessToken = accessToken;
  }

  /** Returns `start` with the responses of the calls. Errors: `SocialFailure`. */
  async after(start: Answers): Promise<Answers> {
    const { profile, details, emails, membership } = this.#provider.row;
    const detailsFirst = JSON.stringify(profile ?? {}).includes("{details:") || details?.unless !== undefined;
    let answers = start;
    if (detailsFirst) answers = { ...answers, ...(await this.#details(details, answers)) };
    if (profile !== undefined) {
      const username = await this.#username();
      answers = { ...answers, profile: await this.#call(profile, "userinfo_url", answers, { username }) };
    }
    if (!detailsFirst) answers = { ...answers, ...(await this.#details(details, answers)) };
    if (emails !== undefined) answers = { ...answers, ...(await this.#emails(emails, answers)) };
    if (membership !== undefined) await this.#requireMember(membership, answers);
    return answers;
  }

  async #details(call: ProviderCall | undefined, answers: Answers): Promise<Pick<Answers, "details">> {
    if (call === undefined || (call.unless !== undefined && readPath(call.unless, answers) !== null))
      return {};
    return { details: await this.#call(call, "profile_url", answers) };
  }

  /** Returns no addresses if the app lacks the permission to read them. */
  async #emails(call: ProviderCall, answers: Answers): Promise<Pick<Answers, "emails">> {
    const answer = await send(this.#context, this.#provider, this.#parts(call, "email_url", answers));
    if (answer.status === 403 || answer.status === 404) return {};
    return { emails: readAnswer(this.#provider.row, requireSuccess(answer, "email_url")) };
  }

  async #requireMember(call: ProviderCall, answers: Answers): Promise<void> {
    const parts = this.#parts(call, "membership_url", answers);
    requireSuccess(await send(this.#context, this.#provider, parts), "the membership");
  }

  /** The username in a header of another response (Bitbucket Data Center). */
  async #username(): Promise<string | null> {
    const { nameFrom } = this.#provider.row;
    if (nameFrom === undefined) return null;
    const parts = this.#parts({ url: nameFrom.url }, "properties_url", {});
    const answer = await send(this.#context, this.#provider, parts);
    return requireSuccess(answer, "the properties").headers.get(nameFrom.header);
  }

  async #call(
    call: ProviderCall,
    setting: string,
    answers: Answers,
    more?: Readonly<Record<string, string | null>>,
  ): Promise<Document> {
    const answer = await send(this.#context, this.#provider, this.#parts(call, setting, answers, more));
    return readAnswer(this.#provider.row, requireSuccess(answer, setting));
  }

  #parts(
    call: ProviderCall,
    setting: string,
    answers: Answers,
    more: Readonly<Record<string, string | null>> = {},
  ) {
    const accessToken = this.#accessToken;
    const [token_owner = ""] = accessToken.split(".");
    const known = { access_token: accessToken, token_owner, access_url: this.#address(answers), ...more };
    return { call, setting, accessToken, lookup: this.#provider.lookup(answers, known) };
  }

  /** The `access_url` of the token response; null if its host is not in `hosts` of the row. */
  #address(answers: Answers): string | null {
    const { hosts } = this.#provider.row;
    const address = hosts === undefined ? null : readPath("token:access_url", answers);
    if (address === null || !URL.canParse(address)) return null;
    const { hostname } = new URL(address);
    return hosts?.some((host) => hostname === host || hostname.endsWith(`.${host}`)) === true
      ? address
      : null;
  }
}

/** Returns the claims of a JWT access token, verified with `public_key`. Errors: `SocialFailure`. */
async function claimsOfAccessToken(provider: Provider, token: string, now: number): Promise<Document> {
  const algorithm = provider.text("algorithm") ?? "RS256";
  if (!/^(RS|PS|ES)(256|384|512)$|^EdDSA$/.test(algorithm))
    throw new SocialFailure('the setting "algorithm" is not a signature algorithm');
  const body = (provider.text("public_key") ?? "").replace(/-----[^-]+-----|\s+/g, "");
  try {
    const { importSPKI, jwtVerify } = await import("jose");
    const key = await importSPKI(`-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`, algorithm);
    await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience: provider.clientId,
      requiredClaims: ["exp"],
      currentDate: new Date(now),
      clockTolerance: 60,
    });
  } catch (error) {
    throw new SocialFailure(
      `the access token was refused: ${error instanceof Error ? error.name : "unknown"}`,
    );
  }
  return claimsOf(token);
}

/**
 * Checks that the query came from Shopify: a recent HMAC over all other parameters. Shopify's library is
 * optional, loaded only if the provider is declared. Errors: 400 `VALIDATION_ERROR`, `SocialFailure`.
 */
async function requireSignedByShop(provider: Provider, form: ReadonlyMap<string, string>): Promise<void> {
  const { utils } = await library(provider);
  if (utils.sanitizeShop(form.get("shop") ?? "") === null)
    throw invalid([{ field: "shop", message: "is malformed" }]);
  let isGenuine = false;
  try {
    isGenuine = await utils.validateHmac(Object.fromEntries(form));
  } catch {
    // It throws if the HMAC or the timestamp is missing, or the timestamp is too old.
  }
  if (!isGenuine) throw new SocialFailure("the shop's signature is wrong or too old");
}

async function library({ clientId, clientSecret, callbackUrl }: Provider) {
  await import("@shopify/shopify-api/adapters/node");
  const { ApiVersion, LogSeverity, shopifyApi } = await import("@shopify/shopify-api");
  return shopifyApi({
    apiKey: clientId,
    apiSecretKey: clientSecret,
    // Required by the library; no API is called.
    apiVersion: ApiVersion.Unstable,
    hostName: new URL(callbackUrl).host,
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error, log: () => undefined },
  });
}

type Row = OAuth2Provider;

/** OAuth 2.0 with a code and PKCE (RFC 6749, 7636). The rows define how providers differ from it. */
export function oauth2(context: ProtocolContext): Protocol<Row> {
  return {
    begin: (login) => Promise.resolve(begin(login)),
    finish: (callback) => finish(context, callback),
  };
}

function begin({ provider, state, secrets, query }: Login<Row>): AuthorizationRequest {
  const { row } = provider;
  const { loginParameter: needed, names = {}, authorize } = row;
  const lookup = provider.lookup(
    {},
    needed === undefined ? {} : { [needed]: requireParameter(needed, query.get(needed)) },
  );
  const location = provider.endpoint("authorization_url", authorize.url, lookup);
  const scope = provider.scopes(row.scopes).join(row.scopeSeparator ?? " ");
  const parameters = {
    ...fillAll(authorize.parameters, lookup),
    ...(scope !== "" && { [names.scope ?? "scope"]: scope }),
    ...provider.texts("auth_extra_arguments"),
    response_type: "code",
    [names.id ?? "client_id"]: provider.clientId,
    [names.redirect ?? "redirect_uri"]: provider.callbackUrl,
    state,
    ...challenge(provider, secrets.verifier),
  };
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
  if (authorize.fragment !== undefined) location.hash = authorize.fragment;
  return { location };
}

/** Binds the code to the client that began the sign-in. */
function challenge(
  provider: Provider<OAuth2Provider>,
  verifier: string,
): { code_challenge?: string; code_challenge_method?: string } {
  if (!usesPkce(provider)) return {};
  const encoding = provider.row.pkce === "hex" ? "hex" : "base64url";
  return { code_challenge: challengeOf(verifier, encoding), code_challenge_method: "S256" };
}

function usesPkce(provider: Provider<OAuth2Provider>): boolean {
  return provider.row.pkce !== false && provider.isOn("pkce") !== false;
}

async function finish(context: ProtocolContext, callback: ProviderCallback<Row>): Promise<Answers> {
  const { provider, form, secrets } = callback;
  const { row } = provider;
  const { callbackParameter: needed } = row;
  if (needed !== undefined) requireParameter(needed, form.get(needed));
  if (row.signedCallback === true) await requireSignedByShop(provider, form);
  const code = requireCode(form);
  const verifier = usesPkce(provider) ? secrets.verifier : null;
  const sent = { form: Object.fromEntries(form) };
  const token = readAnswer(row, await exchangeCode(context, provider, { code, verifier, form: sent.form }));
  const accessToken = readPath(row.token.accessToken ?? "access_token", { profile: token });
  if (accessToken === null) throw new SocialFailure("the token response has no access token");
  const answers: Answers = { ...sent, token };
  if (row.accessTokenClaims === true)
    return { ...answers, access_token: await claimsOfAccessToken(provider, accessToken, context.now()) };
  return new ProfileCalls(context, provider, accessToken).after(answers);
}

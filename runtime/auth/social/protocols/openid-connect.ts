import { isJsonObject } from "../../../../vocabulary/json.ts";
import type { OpenIdConnectProvider } from "../../../../vocabulary/social/provider.ts";
import { isUuid } from "../../../../vocabulary/uuid.ts";
import { fillText } from "../conversation/fill-template.ts";
import { type Answers, readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, member, parseJson } from "../outbound/index.ts";
import { SocialFailure } from "../social-failure.ts";
import { challengeOf } from "../state/derived-secrets.ts";
import { appleSecret } from "./apple-secret.ts";
import { fillAll, formType, requireSuccess } from "./calls.ts";
import { requireCode } from "./code.ts";
import { Discovery } from "./discovery.ts";
import { checkedClaims, signatureAlgorithms } from "./id-token.ts";
import type { KeySets } from "./key-sets.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "./protocol.ts";
import { basic } from "./token-request.ts";

type Row = OpenIdConnectProvider;

/** How old an id_token may be, in seconds (decisions, part 9). */
const longestAge = 600;

/** OpenID Connect with a code: who signed in stands in a token that the provider has signed. */
export class OpenIdConnect implements Protocol<Row> {
  readonly #surroundings: Surroundings;
  readonly #discovery: Discovery;
  readonly #keys: KeySets;

  constructor(surroundings: Surroundings, keys: KeySets) {
    this.#surroundings = surroundings;
    this.#discovery = new Discovery(surroundings);
    this.#keys = keys;
  }

  readonly begin = async ({ provider, state, secrets }: Login<Row>): Promise<Departure> => {
    const { row } = provider;
    const location = await this.#discovery.authorize(provider);
    const scope = provider.scopes(row.scopes).join(" ");
    const resource = provider.text("resource");
    const parameters = {
      ...(scope === "" ? {} : { scope, ...fillAll(row.parameters, provider.lookup()) }),
      ...(resource !== null && { resource }),
      ...provider.texts("auth_extra_arguments"),
      response_type: "code",
      client_id: provider.clientId,
      redirect_uri: provider.callbackUrl,
      state,
      ...(row.nonce !== false && { nonce: secrets.nonce }),
      ...(usesPkce(provider) && {
        code_challenge: challengeOf(secrets.verifier, "base64url"),
        code_challenge_method: "S256",
      }),
    };
    for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
    return { location };
  };

  readonly finish = async (arrival: Arrival<Row>): Promise<Answers> => {
    const { provider, secrets } = arrival;
    const form = formOf(arrival.form);
    const code = requireCode(arrival.form);
    const token = await this.#exchange(provider, code, usesPkce(provider) ? secrets.verifier : null);
    const accessToken = readPath("access_token", { profile: token });
    const nonce = provider.row.nonce === false ? null : secrets.nonce;
    const claims = await this.#claims(provider, token, accessToken, nonce);
    const userinfo = await this.#userinfo(provider, accessToken, claims);
    const profile = { ...(isJsonObject(claims) ? claims : {}), ...userinfo };
    requireClaims(provider, claims);
    requireAllowed(provider, profile);
    return { form, token, id_token: claims, profile };
  };

  async #exchange(provider: Provider<Row>, code: string, verifier: string | null): Promise<Document> {
    const url = await this.#discovery.token(provider);
    const { tokenCredentials } = provider.row;
    const secret = await secretParameters(provider, this.#surroundings.now());
    const isBasic = tokenCredentials === "basic" && "client_secret" in secret;
    const resource = provider.text("resource");
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: provider.callbackUrl,
      ...(!isBasic && { client_id: provider.clientId, ...secret }),
      ...(verifier !== null && { code_verifier: verifier }),
      ...(resource !== null && { resource }),
    });
    const headers = {
      ...formType,
      ...(isBasic && { authorization: basic(provider.clientId, secret.client_secret ?? "") }),
    };
    const { outbound } = this.#surroundings;
    const answer = await outbound.send({ method: "POST", url, headers, body: body.toString() });
    return documentOf(requireSuccess(answer, "the token endpoint"));
  }

  async #claims(
    provider: Provider<Row>,
    token: Document,
    accessToken: string | null,
    nonce: string | null,
  ): Promise<Document> {
    const idToken = readPath("id_token", { profile: token });
    if (idToken === null) throw new SocialFailure("there was no id_token");
    const published = await this.#discovery.algorithms(provider);
    return checkedClaims(idToken, {
      keys: this.#keys.at(await this.#discovery.keys(provider)),
      needsKeyId: false,
      algorithms: signatureAlgorithms.filter((one) => published === null || published.includes(one)),
      issuers: await this.#discovery.issuers(provider),
      audience: [provider.clientId, ...(provider.list("audience") ?? [])],
      party: provider.clientId,
      nonce,
      longestAge,
      accessToken,
      now: this.#surroundings.now(),
    });
  }

  /** What the provider says beside the token. It must be about the same person. */
  async #userinfo(
    provider: Provider<Row>,
    accessToken: string | null,
    claims: Document,
  ): Promise<Readonly<Record<string, unknown>>> {
    const url = await this.#discovery.userinfo(provider);
    if (url === null || accessToken === null) return {};
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = documentOf(await this.#surroundings.outbound.ask({ method: "GET", url, headers }));
    if (!isJsonObject(answer)) throw new SocialFailure("the answer of userinfo is no object");
    if (member(answer, "sub") !== member(claims, "sub"))
      throw new SocialFailure("userinfo is about somebody else");
    return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null && value !== ""));
  }
}

function usesPkce(provider: Provider<Row>): boolean {
  return provider.row.pkce !== false && provider.isOn("pkce") !== false;
}

/** What proves that the app is the app. */
async function secretParameters(
  provider: Provider<Row>,
  now: number,
): Promise<{ client_secret?: string; client_assertion_type?: string; client_assertion?: string }> {
  if (provider.row.signedSecret === true) return { client_secret: await appleSecret(provider, now) };
  const assertion = provider.secret("client_assertion");
  if (assertion === null || provider.secret("client_secret") !== null)
    return { client_secret: provider.clientSecret };
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
}

/** Apple sends the person's name as JSON in a field, the first time. */
function formOf(form: ReadonlyMap<string, string>): Document {
  const { user, ...others } = Object.fromEntries(form);
  if (user === undefined) return others;
  try {
    return { ...others, user: parseJson(user) };
  } catch {
    return others;
  }
}

/** Claims that must be what the settings say. */
function requireClaims(provider: Provider<Row>, claims: Document): void {
  for (const [path, template] of Object.entries(provider.row.claims ?? {})) {
    const wanted = fillText(template, provider.lookup());
    // `common` and the like stand for any tenant.
    if (path === "tid" && !isUuid(wanted)) continue;
    if (readPath(path, { profile: claims })?.toLowerCase() !== wanted.toLowerCase())
      throw new SocialFailure("a claim is not what the settings ask for");
  }
}

/** Groups and the like, one of which somebody must have where the settings list any. */
function requireAllowed(provider: Provider<Row>, profile: Document): void {
  for (const [claim, setting] of Object.entries(provider.row.allowed ?? {})) {
    const allowed = provider.list(setting);
    const held = [member(profile, claim)].flat();
    if (allowed !== null && !allowed.some((one) => held.includes(one)))
      throw new SocialFailure(`nothing of "${setting}" is among the claims`);
  }
}

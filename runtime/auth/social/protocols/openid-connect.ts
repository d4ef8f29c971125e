import type { OpenIdConnectProvider } from "../../../../vocabulary/social/provider.ts";
import { type Answers, readPath } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import { type Document, documentOf, parseJson } from "../outbound/index.ts";
import { SocialFailure } from "../social-failure.ts";
import { challengeOf } from "../state/derived-secrets.ts";
import { fillAll } from "./calls.ts";
import { requireCode } from "./code.ts";
import { Discovery } from "./discovery.ts";
import { checkedClaims, signatureAlgorithms } from "./id-token.ts";
import type { KeySets } from "./key-sets.ts";
import { profileOf } from "./openid-profile.ts";
import { exchangeForTokens } from "./openid-token-request.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "./protocol.ts";
import { requireAllowed, requireClaims } from "./required-claims.ts";

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

  readonly begin = async (login: Login<Row>): Promise<Departure> => {
    const location = await this.#discovery.authorize(login.provider);
    for (const [name, value] of Object.entries(requestOf(login))) location.searchParams.set(name, value);
    // Apple takes no "+" for a blank.
    location.search = location.search.replaceAll("+", "%20");
    return { location };
  };

  readonly finish = async (arrival: Arrival<Row>): Promise<Answers> => {
    const { provider, secrets } = arrival;
    const form = formOf(arrival.form);
    const code = requireCode(arrival.form);
    const token = await exchangeForTokens(this.#surroundings, provider, {
      url: await this.#discovery.token(provider),
      code,
      verifier: usesPkce(provider) ? secrets.verifier : null,
    });
    const accessToken = readPath("access_token", { profile: token });
    const nonce = provider.row.nonce === false ? null : secrets.nonce;
    const claims = await this.#claims(provider, token, accessToken, nonce);
    requireClaims(provider, claims);
    const profile = await this.#profile(provider, accessToken, claims);
    requireAllowed(provider, profile);
    return { form, token, id_token: claims, profile };
  };

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

  /** What the provider says beside the token. */
  async #profile(provider: Provider<Row>, accessToken: string | null, claims: Document): Promise<Document> {
    const url = await this.#discovery.userinfo(provider);
    if (url === null || accessToken === null) return claims;
    const headers = { authorization: `Bearer ${accessToken}` };
    return profileOf(
      claims,
      documentOf(await this.#surroundings.outbound.ask({ method: "GET", url, headers })),
    );
  }
}

/** What the provider is asked for (OpenID Connect Core, 3.1.2.1); nothing that an app sets takes the place of what protects. */
function requestOf({ provider, state, secrets }: Login<Row>): Readonly<Record<string, string>> {
  const { row } = provider;
  const scope = provider.scopes(row.scopes).join(" ");
  const resource = provider.text("resource");
  return {
    ...(scope !== "" && { scope, ...fillAll(row.parameters, provider.lookup()) }),
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
}

function usesPkce(provider: Provider<Row>): boolean {
  return provider.row.pkce !== false && provider.isOn("pkce") !== false;
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

import type { OAuth2Provider } from "../../../../../vocabulary/social/provider.ts";
import { requireParameter } from "../../conversation/browser-parameters.ts";
import { type Answers, readPath } from "../../conversation/paths.ts";
import type { Provider } from "../../declared-provider.ts";
import { SocialFailure } from "../../social-failure.ts";
import { challengeOf } from "../../state/derived-secrets.ts";
import { fillAll } from "../calls.ts";
import { requireCode } from "../code.ts";
import type { Arrival, Departure, Login, Protocol, Surroundings } from "../protocol.ts";
import { exchangeCode } from "../token-request.ts";
import { claimsOfAccessToken } from "./keycloak.ts";
import { ProfileCalls } from "./profile-calls.ts";
import { readAnswer } from "./read-answer.ts";
import { requireSignedByShop } from "./shopify.ts";

type Row = OAuth2Provider;

/** OAuth 2.0 with a code (RFC 6749, 7636), and the ways in which providers differ from it: all of these are in their rows. */
export function oauth2(surroundings: Surroundings): Protocol<Row> {
  return {
    begin: (login) => Promise.resolve(begin(login)),
    finish: (arrival) => finish(surroundings, arrival),
  };
}

function begin({ provider, state, secrets, query }: Login<Row>): Departure {
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

/** What binds the code to whoever began the sign-in. */
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

async function finish(surroundings: Surroundings, arrival: Arrival<Row>): Promise<Answers> {
  const { provider, form, secrets } = arrival;
  const { row } = provider;
  const { callbackParameter: needed } = row;
  if (needed !== undefined) requireParameter(needed, form.get(needed));
  if (row.signedCallback === true) await requireSignedByShop(provider, form);
  const code = requireCode(form);
  const verifier = usesPkce(provider) ? secrets.verifier : null;
  const said = { form: Object.fromEntries(form) };
  const token = readAnswer(
    row,
    await exchangeCode(surroundings, provider, { code, verifier, form: said.form }),
  );
  const accessToken = readPath(row.token.accessToken ?? "access_token", { profile: token });
  if (accessToken === null) throw new SocialFailure("there was no access token");
  const answers: Answers = { ...said, token };
  if (row.accessTokenClaims === true)
    return { ...answers, access_token: await claimsOfAccessToken(provider, accessToken, surroundings.now()) };
  return new ProfileCalls(surroundings, provider, accessToken).after(answers);
}

import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { testClock } from "../../support/clock.ts";
import type { Reply } from "../../support/request.ts";
import { testService } from "../../support/service.ts";
import { Issuer, type IssuerFacts, type Person } from "../../support/social/issuer.ts";
import { fillPlaceholders, type OpenIdFacts, openIdFacts, place } from "../../support/social/openid-facts.ts";
import { player } from "../../support/social/player.ts";
import { baseUrl, begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";
import { signingKey } from "../../support/social/signing-key.ts";

const tenant = "11111111-2222-3333-4444-555555555555";
const values: Readonly<Record<string, string>> = {
  domain: "people.example.com",
  tenant_name: "contoso",
  tenant_id: tenant,
  policy: "B2C_1_signin",
  oidc_endpoint: "https://op.example.com/realm",
  api_url: "https://acme.okta.example/oauth2/default",
  team_id: "TEAM",
  key_id: "KEY",
};
const teamKey = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = teamKey.privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Rows that say that they check what somebody may. */
const restricted = (facts: OpenIdFacts) => facts.notes.includes("allowed_entitlements");

const provider = await player();
const clock = testClock();
const service = await testService(
  {
    baseUrl,
    social: socialSettings(
      Object.fromEntries(
        openIdFacts.map((facts) => [
          facts.name,
          {
            settings: {
              ...Object.fromEntries(facts.required_settings.map((name) => [name, values[name]])),
              ...(restricted(facts) && { allowed_entitlements: ["urn:vo:one", "urn:vo:two"] }),
            },
            secrets: { SECRET: facts.name === "apple-id" ? pem : `secret of ${facts.name}` },
          },
        ]),
      ),
    ),
  },
  { resolveProvider: provider.resolve, now: clock.now },
);
const key = await signingKey();

beforeEach(async () => {
  await service.store({});
  clock.pass(3601);
  provider.heard.length = 0;
});

/** What the facts say of the issuer, as its own documents would have it. */
function issuerOf(facts: OpenIdFacts): IssuerFacts {
  const { name, extra } = facts;
  const fill = (template: string) =>
    fillPlaceholders(template, { ...values, ...defaultsOf(facts), client_id: `id-of-${name}` });
  const base = fill(facts.oidc_issuer);
  const template = fill(extra.id_token_issuer ?? facts.oidc_issuer);
  const isApple = name === "apple-id";
  const isMicrosoft = name.startsWith("azuread-");
  const announced = template.replace("{tid}", "{tenantid}");
  const refused = "https://graph.example.com/userinfo";
  if (isMicrosoft)
    provider.play(`GET ${refused}`, () => ({ status: 401, json: { error: "of another service" } }));
  return {
    issuer: template.replace("{tid}", tenant),
    announced,
    discovery: isApple ? null : `${base}/.well-known/openid-configuration`,
    authorize: fill(facts.authorize_url ?? `${base}/authorize`),
    token: fill(facts.token_url ?? `${base}/token`),
    keys: fill(extra.jwks_url ?? `${base}/keys`),
    // Microsoft's document names one all the same.
    userinfo: isApple ? null : isMicrosoft ? refused : fill(facts.userinfo_url ?? `${base}/userinfo`),
    credentials: facts.token_auth,
    clientId: `id-of-${name}`,
    clientSecret: isApple ? isAppleSecret : `secret of ${name}`,
    callback: `${baseUrl}/auth/${name}/callback`,
    ...(name.startsWith("linkedin-") && { pkce: false, nonce: false }),
  };
}

function defaultsOf({ extra }: OpenIdFacts): Readonly<Record<string, string>> {
  return extra.defaults ?? {};
}

async function isAppleSecret(secret: string): Promise<boolean> {
  const { payload, protectedHeader } = await jwtVerify(
    secret,
    createPublicKey(teamKey.publicKey.export({ type: "spki", format: "pem" })),
    {
      algorithms: ["ES256"],
      issuer: "TEAM",
      subject: "id-of-apple-id",
      audience: "https://appleid.apple.com",
      requiredClaims: ["iat", "exp"],
      currentDate: new Date(clock.now()),
    },
  );
  return protectedHeader.kid === "KEY" && Number(payload.exp) - Number(payload.iat) <= 3600;
}

/** A person's data, each piece where the facts say that it stands. */
function person(
  facts: OpenIdFacts,
  data: Readonly<Record<string, unknown>>,
  way = 0,
): Person & { form: object } {
  const answers = { id_token: {}, profile: {}, form: {} };
  const isInToken = facts.name === "apple-id" || facts.name.startsWith("azuread-");
  for (const [path, value] of Object.entries(data)) {
    const [, prefix = isInToken ? "id_token" : "profile", rest = path] =
      /^(id_token|form):(.*)$/.exec(path) ?? [];
    if (prefix === "id_token" || prefix === "profile" || prefix === "form")
      place(answers[prefix], rest, value, way);
  }
  const claims = {
    sub: `sub of ${facts.name}`,
    ...(facts.email_path?.includes("preferred_username") !== true && { preferred_username: "somebody-else" }),
    ...(facts.name.startsWith("azuread-") && { tid: tenant, tfp: "b2c_1_SIGNIN" }),
    ...(facts.email_verified_path === null && { email_verified: true }),
    ...answers.id_token,
  };
  const groups = restricted(facts) ? { eduperson_entitlement: ["urn:other", "urn:vo:two"] } : {};
  return { claims, userinfo: { upn: "u", nickname: "n", ...groups, ...answers.profile }, form: answers.form };
}

async function signIn(
  facts: OpenIdFacts,
  who: Person & { form: object },
  twist: object = {},
): Promise<Reply> {
  const { name } = facts;
  const issuer = new Issuer(provider, issuerOf(facts), key, clock.now);
  const isApple = name === "apple-id";
  const { location, state, cookie } = await begin(service, name, isApple ? "?platform=ios" : "");
  expectAsked(facts, location);
  const code = issuer.authorize(location, who, twist);
  const reply = isApple
    ? await service.send({
        method: "POST",
        path: `/auth/apple-id/callback`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ code, state, ...texts(who.form) }).toString(),
      })
    : await comeBack(service, name, { code, state }, cookie);
  expect(issuer.complaints).toEqual([]);
  return reply;
}

const texts = (form: object) =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, JSON.stringify(value)]));

/** The request for authorization has what the facts ask for, and nothing else. */
function expectAsked({ scopes, scope_separator, extra, name }: OpenIdFacts, location: URL): void {
  const { state, nonce, code_challenge, ...sent } = Object.fromEntries(location.searchParams);
  expect(sent).toEqual({
    scope: [...scopes, ...(extra.email_scopes ?? [])].join(scope_separator),
    ...extra.authorize_params,
    response_type: "code",
    client_id: `id-of-${name}`,
    redirect_uri: `${baseUrl}/auth/${name}/callback`,
    ...(!name.startsWith("linkedin-") && { code_challenge_method: "S256" }),
    ...(name === "azuread-b2c-oauth2" && { p: values["policy"] }),
  });
}

async function stored(): Promise<Json> {
  const rows = await service.query(
    `select provider, uid, email, first_name, last_name, is_verified
     from auth_social join users on users.id = auth_social.user_id`,
  );
  return JSON.parse(JSON.stringify(rows));
}

describe.each(openIdFacts.map((facts) => [facts.name, facts] as const))("%s", (name, facts) => {
  const { email_path: email = null, email_verified_path: verified, full_name_path: full } = facts;
  const address = `ann@${name.toLowerCase().replaceAll("_", "-")}.example`;
  const flag = verified === null ? {} : { [verified]: true };

  test("signs in who has first and last name", async () => {
    const { first_name_path: first, last_name_path: last } = facts;
    const names = first === null || last === null ? {} : { [first]: "Ann", [last]: "van Lee" };
    const reply = await signIn(facts, person(facts, { ...names, ...flag, [email ?? "email"]: address }));
    expect(reply.text).toContain(address);
    expect(reply.status).toBe(200);
    const hasNames = first !== null;
    expect(await stored()).toEqual([
      {
        provider: name,
        uid: `sub of ${name}`,
        email: address,
        first_name: hasNames ? "Ann" : null,
        last_name: hasNames ? "van Lee" : null,
        is_verified: verified !== null,
      },
    ]);
  });

  test("signs in who has a full name, and an e-mail at another place", async () => {
    const names = full === null ? {} : { [full]: "Ann van Lee" };
    const reply = await signIn(facts, person(facts, { ...names, [email ?? "email"]: address }, -1));
    expect(reply.status).toBe(200);
    expect(await stored()).toMatchObject([
      {
        email: address,
        first_name: full === null ? null : "Ann",
        last_name: full === null ? null : "van Lee",
        is_verified: false,
      },
    ]);
  });
});

test.each(openIdFacts.filter(restricted).map((facts) => [facts.name, facts] as const))(
  "%s refuses who has none of the entitlements",
  async (_name, facts) => {
    for (const held of [["urn:other"], undefined])
      expect((await signIn(facts, person(facts, { eduperson_entitlement: held }))).status).toBe(401);
  },
);

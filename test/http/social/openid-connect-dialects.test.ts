import { beforeEach, describe, expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { testService } from "../../support/service.ts";
import { Issuer, type IssuerFacts, issuerAt, signInAt, signingKey } from "../../support/social/issuer.ts";
import { type Heard, player } from "../../support/social/player.ts";
import { baseUrl, begin, comeBack, type Declared, socialSettings } from "../../support/social/sign-in.ts";

const tenant = "11111111-2222-3333-4444-555555555555";
const provider = await player();
const clock = testClock();
const key = await signingKey();
const ann = { sub: "ann", email: "ann@example.com" };

/** A service with one provider, set in its own way. */
const serve = (declared: Declared) =>
  testService(
    { baseUrl, social: socialSettings(declared) },
    { resolveProvider: provider.resolve, now: clock.now },
  );
const play = (facts: IssuerFacts) => new Issuer(provider, facts, key, clock.now);

beforeEach(() => {
  provider.heard.length = 0;
});

describe("where discovery is", () => {
  // biome-ignore format: one case a line
  test.each([
    ["https://acme.okta.example/oauth2", "https://acme.okta.example/.well-known/openid-configuration"],
    ["https://acme.okta.example/oauth2/", "https://acme.okta.example/.well-known/openid-configuration"],
    ["https://acme.okta.example/oauth2/aus1", "https://acme.okta.example/oauth2/aus1/.well-known/openid-configuration"],
  ])("okta at %s: %s", async (api_url, discovery) => {
    const service = await serve({ "okta-openidconnect": { settings: { api_url } } });
    const issuer = play({ ...issuerAt("https://acme.okta.example/x", "okta-openidconnect"), discovery });
    expect((await signInAt(service, "okta-openidconnect", issuer, { claims: ann })).status).toBe(200);
  });

  test.each([
    ["prod", "https://aai.egi.eu"],
    ["demo", "https://aai-demo.egi.eu"],
    ["dev", "https://aai-dev.egi.eu"],
  ])("egi-checkin of %s: %s", async (checkin_env, host) => {
    const service = await serve({ "egi-checkin": { settings: { checkin_env } } });
    const issuer = play(issuerAt(`${host}/auth/realms/egi`, "egi-checkin"));
    expect((await signInAt(service, "egi-checkin", issuer, { claims: ann })).status).toBe(200);
  });

  test.each(["people.example.com", "https://people.example.com/"])("auth0 at %s", async (domain) => {
    const service = await serve({ auth0_openidconnect: { settings: { domain } } });
    const address = "https://people.example.com";
    const issuer = play({ ...issuerAt(address, "auth0_openidconnect"), issuer: `${address}/` });
    expect((await signInAt(service, "auth0_openidconnect", issuer, { claims: ann })).status).toBe(200);
  });

  test("any standard provider needs only settings", async () => {
    const service = await serve({ oidc: { settings: { oidc_endpoint: "https://new.example.org/id/" } } });
    const issuer = play(issuerAt("https://new.example.org/id", "oidc"));
    expect((await signInAt(service, "oidc", issuer, { claims: ann })).status).toBe(200);
  });
});

describe("Google", () => {
  test.each([
    ["https://accounts.google.com", 200],
    ["accounts.google.com", 200],
    ["https://accounts.google.com/", 401],
  ])("with %s as issuer gives %d", async (iss, status) => {
    const service = await serve({ "google-openidconnect": {} });
    const facts = issuerAt("https://accounts.google.com", "google-openidconnect");
    const issuer = play({ ...facts, credentials: "body" });
    const reply = await signInAt(service, "google-openidconnect", issuer, { claims: { ...ann, iss } });
    expect(reply.status).toBe(status);
  });
});

describe("Microsoft", () => {
  const host = "https://login.microsoftonline.com";
  const microsoft = (name: string, path: string): IssuerFacts => ({
    ...issuerAt(`${host}/${path}/v2.0`, name),
    issuer: `${host}/${tenant}/v2.0`,
    announced: `${host}/{tenantid}/v2.0`,
    credentials: "body",
  });
  const other = "99999999-2222-3333-4444-555555555555";

  test.each([
    [tenant, tenant, 200],
    [tenant.toUpperCase(), tenant, 200],
    [other, tenant, 401],
    ["common", tenant, 200],
    ["contoso.onmicrosoft.com", tenant, 200],
  ])("the tenant %s and a user of %s: %d", async (tenant_id, tid, status) => {
    const name = "azuread-v2-tenant-oauth2";
    const service = await serve({ [name]: { settings: { tenant_id } } });
    const issuer = play(microsoft(name, tenant_id));
    const reply = await signInAt(service, name, issuer, { claims: { ...ann, tid } });
    expect(reply.status).toBe(status);
  });

  test("a signed assertion replaces the secret", async () => {
    const name = "azuread-oauth2-v2";
    const service = await serve({ [name]: { secrets: { CLIENT_ASSERTION: "ASSERTION" } } });
    play(microsoft(name, "common"));
    let sent: Heard | undefined;
    provider.play(`POST ${host}/common/v2.0/token`, (heard) => {
      sent = heard;
      return { status: 400 };
    });
    const { state, cookie } = await begin(service, name);
    await comeBack(service, name, { code: "C", state }, cookie);
    expect(sent?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(sent?.form ?? [])).toMatchObject({
      client_id: `id-of-${name}`,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: "ASSERTION",
    });
    expect(sent?.form.has("client_secret")).toBe(false);
  });

  test("the resource of version 1 is asked for", async () => {
    const service = await serve({ "azuread-oauth2": { settings: { resource: "https://graph.example" } } });
    play({
      ...microsoft("azuread-oauth2", "common"),
      discovery: `${host}/common/.well-known/openid-configuration`,
    });
    const { location } = await begin(service, "azuread-oauth2");
    expect(location.searchParams.get("resource")).toBe("https://graph.example");
  });

  const b2c = "azuread-b2c-oauth2";

  test.each([
    [{ tfp: "b2c_1_in" }, 200],
    [{ acr: "B2C_1_IN" }, 200],
    [{ tfp: "b2c_1_other" }, 401],
    [{}, 401],
  ])("the policy of a token with %j: %d", async (claims, status) => {
    const service = await serve({ [b2c]: { settings: { tenant_name: "contoso", policy: "B2C_1_in" } } });
    const address = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in/v2.0";
    const issuer = play({ ...issuerAt(address, b2c), credentials: "body", userinfo: null });
    // It may give no access token.
    const twist = { answer: { access_token: undefined } };
    const reply = await signInAt(service, b2c, issuer, { claims: { ...ann, ...claims } }, twist);
    expect(reply.status).toBe(status);
  });

  test("a policy of another kind stops the start", () => {
    const settings = { tenant_name: "contoso", policy: "signin" };
    expect(() => socialSettings({ [b2c]: { settings } })).toThrow(/"policy".*must begin with "b2c_"/);
  });
});

describe("CAS", () => {
  test.each([
    [{ attributes: { groups: ["staff", "it"] } }, 200],
    [{ groups: "staff" }, 200],
    [{ attributes: { groups: ["guests"] } }, 401],
    [{}, 401],
  ])("with %j, of whom one group is allowed: %d", async (userinfo, status) => {
    const oidc_endpoint = "https://cas.example.com/oidc";
    const service = await serve({ cas: { settings: { oidc_endpoint, allow_groups: ["staff", "boss"] } } });
    const issuer = play(issuerAt(oidc_endpoint, "cas"));
    const reply = await signInAt(service, "cas", issuer, { claims: ann, userinfo });
    expect(reply.status).toBe(status);
  });
});

describe("a community of research", () => {
  test.each([
    [{ eduperson_entitlement: ["urn:other", "urn:vo:two"] }, 200],
    [{ eduperson_entitlement: ["urn:other"] }, 401],
    [{}, 401],
  ])("with %j, of whom one entitlement is allowed: %d", async (userinfo, status) => {
    const allowed_entitlements = ["urn:vo:one", "urn:vo:two"];
    const service = await serve({ eduid: { settings: { allowed_entitlements } } });
    const issuer = play(issuerAt("https://proxy.edu-id.dfn.de", "eduid"));
    expect((await signInAt(service, "eduid", issuer, { claims: ann, userinfo })).status).toBe(status);
  });
});

describe("Microsoft's userinfo", () => {
  test("is not asked, though discovery names it", async () => {
    const service = await serve({ "azuread-oauth2-v2": {} });
    const facts = issuerAt("https://login.microsoftonline.com/common/v2.0", "azuread-oauth2-v2");
    const own = { issuer: `https://login.microsoftonline.com/${tenant}/v2.0`, credentials: "body" as const };
    const issuer = play({ ...facts, ...own });
    const reply = await signInAt(service, "azuread-oauth2-v2", issuer, { claims: { ...ann, tid: tenant } });
    expect(reply.status).toBe(200);
    expect(provider.heard.map(({ url }) => url.pathname).filter((one) => one.endsWith("userinfo"))).toEqual(
      [],
    );
  });
});

describe("required settings", () => {
  test.each([
    ["eduid-staging", "oidc_endpoint"],
    ["oidc", "oidc_endpoint"],
    ["auth0", "domain"],
    ["okta-openidconnect", "api_url"],
    ["azuread-tenant-oauth2", "tenant_id"],
    ["apple-id", "team_id"],
  ])("%s without %s stops the start", (name, setting) => {
    expect(() => socialSettings({ [name]: {} })).toThrow(`"${name}" needs the setting "${setting}"`);
  });
});

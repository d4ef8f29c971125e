import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { readConfig } from "#runtime/core/config/index";
import { configFolder, type Variables } from "../../../support/config-folder.ts";

const { root, manifestPath, ...folder } = configFolder();
const manifestOf = (auth: object) => ({ name: "shop", base_url: "https://shop.example.com", auth });
const read = (auth: object, environment?: Variables) => folder.read(manifestOf(auth), environment);
const problemsOf = (auth: object, environment?: Variables) =>
  folder.problemsOf(manifestOf(auth), environment);

const github = { social_providers: ["github"], social: { github: { client_id: "x" } } };
const secret = { SOCIAL_AUTH_GITHUB_SECRET: "s3cr3t" };

describe("declared providers", () => {
  test("have settings, secrets and a callback", () => {
    const [declared] = read(github, secret).social.providers;
    expect(declared).toMatchObject({
      name: "github",
      settings: { client_id: "x" },
      callbackUrl: "https://shop.example.com/auth/github/callback",
    });
    expect(declared?.secrets["client_secret"]?.export().toString()).toBe("s3cr3t");
  });

  test("have no secret that a log could show", () => {
    const config = read(github, secret);
    expect(inspect(config, { depth: 10 }) + JSON.stringify(config)).not.toContain("s3cr3t");
  });

  test("follow auth_prefix, unless redirect_uri sets them", () => {
    const manifestPath = join(root, "models", "manifest.json");
    const social = {
      github: { client_id: "x" },
      discord: { client_id: "y", redirect_uri: "https://a.example/b" },
    };
    const auth = { social_providers: ["github", "discord"], social };
    writeFileSync(
      manifestPath,
      JSON.stringify({ name: "shop", base_url: "https://shop.example.com", auth_prefix: "/account", auth }),
    );
    const environment = { ...secret, SOCIAL_AUTH_DISCORD_SECRET: "t" };
    const { providers } = readConfig({ root, manifestPath, environment }).social;
    expect(providers.map(({ callbackUrl }) => callbackUrl)).toEqual([
      "https://shop.example.com/account/github/callback",
      "https://a.example/b",
    ]);
  });

  test.each([
    ["https://shop.example.com/auth/github/callback", true],
    ["https://shop.example.com:8443/auth/back", true],
    ["https://shop.example.com/back", false],
    ["https://shop.example.com/authentic/back", false],
    ["https://www.example.com/auth/github/callback", false],
  ])(
    "a start warns where the cookie of a sign-in does not get to redirect_uri: %s",
    (redirect_uri, isBelow) => {
      const social = { github: { client_id: "x", redirect_uri } };
      const { warnings } = read({ ...github, social }, secret);
      const warning =
        "auth.social.github.redirect_uri is not below https://shop.example.com/auth: the cookie of a sign-in is not sent there, and no one can sign in on the web";
      expect(warnings.includes(warning)).toBe(isBelow === false);
    },
  );

  test("may be set by the environment", () => {
    const { providers } = read(
      {},
      {
        ...secret,
        SERVICE_SET_AUTH__SOCIAL_PROVIDERS: '["github"]',
        SERVICE_SET_AUTH__SOCIAL: '{"github": {"client_id": "z"}}',
      },
    ).social;
    expect(providers).toMatchObject([{ name: "github", settings: { client_id: "z" } }]);
  });

  test("read a key whose line breaks are written out", () => {
    const apple = {
      social_providers: ["apple-id"],
      social: { "apple-id": { client_id: "x", team_id: "T", key_id: "K" } },
    };
    const { providers } = read(apple, { SOCIAL_AUTH_APPLE_ID_SECRET: "-----BEGIN\\nKEY\\n" }).social;
    expect(providers[0]?.secrets["client_secret"]?.export().toString()).toBe("-----BEGIN\nKEY");
  });
});

describe("a start is refused with the reason if", () => {
  const needs = (name: string, settings: object, environment: Variables = {}) =>
    problemsOf({ social_providers: [name], social: { [name]: settings } }, environment);

  test("a name is unknown or cannot be used", () => {
    // biome-ignore format: one case a line
    expect(problemsOf({ social_providers: ["githup", "vk-app", "email"] })).toEqual([
      'auth.social_providers: "githup" is not a sign-in provider: did you mean "github"?',
      expect.stringMatching(/^auth\.social_providers: "vk-app" cannot be used for sign-in: its callback has no state/),
      expect.stringMatching(/^auth\.social_providers: "email" cannot be used for sign-in: the service has its own sign-in by password/),
    ]);
  });

  test("id or secret is missing: it names setting and variable", () => {
    expect(problemsOf({ social_providers: ["github"] })).toEqual([
      'auth.social.github: "github" needs the setting "client_id": set auth.social.github.client_id',
      'SOCIAL_AUTH_GITHUB_SECRET is not set, and the provider "github" of auth.social_providers needs it',
    ]);
    expect(needs("telegram", {})).toEqual([
      expect.stringMatching(/^SOCIAL_AUTH_TELEGRAM_BOT_TOKEN is not set/),
    ]);
    expect(
      needs("bungie", { client_id: "x", origin: "https://a.example" }, { SOCIAL_AUTH_BUNGIE_SECRET: "s" }),
    ).toEqual([expect.stringMatching(/^SOCIAL_AUTH_BUNGIE_API_KEY is not set/)]);
    expect(needs("azuread-oauth2", { client_id: "x" })).toEqual([
      expect.stringMatching(
        /^SOCIAL_AUTH_AZUREAD_OAUTH2_SECRET or SOCIAL_AUTH_AZUREAD_OAUTH2_CLIENT_ASSERTION is not set/,
      ),
    ]);
    expect(
      needs("azuread-oauth2", { client_id: "x" }, { SOCIAL_AUTH_AZUREAD_OAUTH2_CLIENT_ASSERTION: "a" }),
    ).toEqual([]);
    expect(needs("ubuntu", {})).toEqual([]);
  });

  // biome-ignore format: one case a line
  test.each([
    [{ tenant: "x" }, '"github" has no setting "tenant": it reads '],
    [{ scop: ["x"] }, '"github" has no setting "scop": did you mean "scope"?'],
    [{ scope: "x" }, '"scope" of "github" must be a list of texts'],
    [{ pkce: "no" }, '"pkce" of "github" must be true or false'],
    [{ auth_extra_arguments: { prompt: 1 } }, '"auth_extra_arguments" of "github" must be an object of texts'],
    [{ userinfo_url: "http://api.example.com" }, '"userinfo_url" of "github" must be an https address'],
    [{ userinfo_url: "https://me:secret@api.example.com" }, '"userinfo_url" of "github" must be an https address'],
    [{ userinfo_url: "javascript:alert(1)" }, '"userinfo_url" of "github" must be an https address'],
  ])("settings are %j", (settings, problem) => {
    const problems = needs("github", { client_id: "x", ...settings }, secret);
    expect(problems).toEqual([expect.stringContaining(`auth.social.github: ${problem}`)]);
  });

  test("a secret is in the manifest", () => {
    const problem = (setting: string) => needs("github", { client_id: "x", [setting]: "s" }, secret);
    const variable = "SOCIAL_AUTH_GITHUB_SECRET";
    const place = "models/manifest.json: auth.social.github holds the secret";
    expect(problem("client_secret")).toEqual([
      `${place} "client_secret": set the environment variable ${variable}`,
    ]);
    expect(problem("api_key")).toEqual([`${place} "api_key": remove it: "github" reads only ${variable}`]);
  });

  test("a server of OpenID Connect has no name of its own", () => {
    for (const name of ["oidc:", "oidc:Acme", "oidc:2", "oidc:a_b", "oidc:a:b"])
      expect(needs(name, {})).toEqual([
        `auth.social_providers: "${name}" is not a sign-in provider: name it oidc:<name>: lower-case letters, digits and hyphens, such as oidc:acme`,
      ]);
    expect(needs("oidc:acme-2", { client_id: "x", oidc_endpoint: "https://id.acme.example" })).toEqual([
      'SOCIAL_AUTH_OIDC_ACME_2_SECRET is not set, and the provider "oidc:acme-2" of auth.social_providers needs it',
    ]);
  });

  test("a provider on this machine is declared for production", () => {
    const settings = { client_id: "x", userinfo_url: "http://127.0.0.1:9000/user" };
    const production = {
      ...secret,
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: "postgres://u:p@db/app",
      SERVICE_AUTH_JWT_SECRET_KEY: "s".repeat(32),
    };
    expect(needs("github", settings, secret)).toEqual([]);
    const refusal = ["auth.social.github.userinfo_url must be an https address with NODE_ENV=production"];
    expect(needs("github", settings, production)).toEqual(refusal);
    const shouted = { ...settings, userinfo_url: " HTTP://LOCALHOST:9000/user" };
    expect(needs("github", shouted, production)).toEqual(refusal);
  });
});

test("a start warns of a provider that is gone, and of unused settings", () => {
  const auth = {
    social_providers: ["angel"],
    social: { angel: { client_id: "x" }, github: { client_id: "y" } },
  };
  const { warnings } = read(auth, { SOCIAL_AUTH_ANGEL_SECRET: "s" });
  expect(warnings).toContainEqual('the provider "angel" is believed to be switched off by its owner');
  expect(warnings).toContainEqual(
    'auth.social.github has no effect: "github" is not in auth.social_providers',
  );
});

import { describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import type { OpenApiDocument } from "#vocabulary/openapi/document";
import { service as definition } from "../generator/support/definitions.ts";
import { account, accounts } from "../support/accounts.ts";
import { describedBy } from "../support/openapi.ts";
import type { Reply } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import {
  begin,
  beginOnPage,
  comeBack,
  playGithub,
  postForm,
  socialService,
  socialSettings,
} from "../support/social/sign-in.ts";

const page = "https://www.example.com/signed-in";
const providers = ["github", "telegram", "google-oauth2"];

function documentOf(...socialProviders: string[]): OpenApiDocument {
  return JSON.parse(JSON.stringify(openApiDocument({ ...definition(), socialProviders })));
}

const social = socialSettings(
  {
    github: {},
    telegram: { settings: { client_id: undefined }, secrets: { BOT_TOKEN: "1:a token of the bot" } },
    "google-oauth2": {},
  },
  { redirectUrls: [page] },
);
const { service, provider } = await socialService(social);
const expectDescribed = describedBy(documentOf(...providers));

function expectOutcome(reply: Reply, line: string, expected: string): void {
  const [method = "", path = ""] = line.split(" ");
  expectDescribed(method, `/auth/{provider}${path}`, reply);
  expect(reply.text === "" ? String(reply.status) : outcome(reply)).toBe(expected);
}

describe("answers are as the document says", () => {
  test("of a login", async () => {
    expectOutcome((await begin(service, "github")).reply, "GET /login", "302");
    expectOutcome((await beginOnPage(service, "telegram")).reply, "GET /login", "200");
    const { reply } = await begin(service, "github", "?platform=x");
    expectOutcome(reply, "GET /login", "400 VALIDATION_ERROR platform");
  });

  test("of a callback", async () => {
    playGithub(provider, { id: 7 });
    const callback = async (code: string, query = "") => {
      const { state, cookie } = await begin(service, "github", query);
      return comeBack(service, "github", { code, state }, cookie);
    };
    expectOutcome(await callback("good"), "GET /callback", "200");
    expectOutcome(await callback("bad"), "GET /callback", "401 SOCIAL_AUTH_FAILED");
    expectOutcome(await callback("good", `?redirect_to=${page}`), "GET /callback", "303");
    expectOutcome(await comeBack(service, "github", {}, null), "GET /callback", "400 VALIDATION_ERROR state");
    playGithub(provider, { id: 8, email: "taken@example.com", verified: false });
    await service.store(accounts([account(1, { email: "taken@example.com" })]));
    expectOutcome(await callback("good"), "GET /callback", "409 SOCIAL_EMAIL_NOT_VERIFIED");
  });

  test("of a callback by POST, and of a mobile sign-in", async () => {
    const begun = await beginOnPage(service, "telegram");
    const posted = await postForm(service, "telegram", begun, { id: "1", hash: "x", auth_date: "1" });
    expectOutcome(posted, "POST /callback", "401 SOCIAL_AUTH_FAILED");
    const mobile = (name: string, body: object) =>
      service.send({ method: "POST", path: `/auth/${name}/mobile`, body: { ...body } });
    expectOutcome(await mobile("github", {}), "POST /mobile", "400 MOBILE_SIGN_IN_NOT_SUPPORTED");
    expectOutcome(await mobile("google-oauth2", {}), "POST /mobile", "400 VALIDATION_ERROR id_token");
    expectOutcome(
      await mobile("google-oauth2", { id_token: "x", more: 1 }),
      "POST /mobile",
      "401 SOCIAL_AUTH_FAILED",
    );
  });
});

describe("the document has only routes of declared providers", () => {
  const routesOf = (...names: string[]) => {
    const { paths } = documentOf(...names);
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item)
        .filter(({ tags }) => tags[0] === "social")
        .map(({ operationId, parameters = [] }) => {
          const named = parameters.find((each) => each["name"] === "provider")?.["schema"];
          return [operationId, path, JSON.stringify(named ?? null)].join(" ");
        }),
    );
  };

  test("without providers it has none", () => {
    expect(routesOf()).toEqual([]);
  });

  test("each route names the providers that have it", () => {
    const all = '{"type":"string","enum":["github","saml","apple-id"]}';
    expect(routesOf("github", "saml", "apple-id")).toEqual([
      `authSocialLogin /auth/{provider}/login ${all}`,
      'authSocialCallback /auth/{provider}/callback {"type":"string","enum":["github","apple-id"]}',
      'authSocialFormCallback /auth/{provider}/callback {"type":"string","enum":["saml","apple-id"]}',
      "authAppleCallback /auth/apple/callback null",
      `authSocialMobile /auth/{provider}/mobile ${all}`,
    ]);
  });
});

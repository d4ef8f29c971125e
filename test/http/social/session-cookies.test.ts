import { beforeEach, expect, test } from "vitest";
import { outcome } from "../../support/scenarios.ts";
import { begin, comeBack, playGithub, socialService, socialSettings } from "../../support/social/sign-in.ts";

const page = "https://www.example.com/signed-in";
const auth = { cookieName: "access", refreshCookieName: "refresh" };
const social = socialSettings({ github: {} }, { redirectUrls: [page] });
// The document of the fixture has no refresh cookie.
const { service, provider } = await socialService(social, { auth }, { described: () => undefined });

beforeEach(() => playGithub(provider, { id: 7 }));

const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []].flat().map((text) => String(text).split("=")[0]);

test("a callback sets both cookies", async () => {
  const { state, cookie } = await begin(service, "github");
  const reply = await comeBack(service, "github", { code: "good", state }, cookie);
  expect(cookiesOf(reply)).toEqual(["kirak_oauth", "access", "refresh"]);
});

test("a page redeems its token for both cookies, with cookie_only", async () => {
  const { state, cookie } = await begin(service, "github", `?redirect_to=${encodeURIComponent(page)}`);
  const back = await comeBack(service, "github", { code: "good", state }, cookie);
  expect(cookiesOf(back)).toEqual(["kirak_oauth"]);
  const token = new URL(String(back.headers.location)).searchParams.get("token");
  const body = { token, cookie_only: true };
  const reply = await service.send({ method: "POST", path: "/auth/verify-web-auth", body });
  expect(outcome(reply)).toBe("200");
  expect(cookiesOf(reply)).toEqual(["access", "refresh"]);
  expect(reply.text).not.toContain("eyJ");
});

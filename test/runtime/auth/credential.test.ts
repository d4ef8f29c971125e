import { createSecretKey } from "node:crypto";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import jsonwebtoken from "jsonwebtoken";
import { describe, expect, it } from "vitest";
import { AccessTokens, authenticator, guest } from "../../../runtime/auth/index.ts";

const key = createSecretKey(Buffer.from("a secret of more than thirty-two bytes"));
const iat = Math.floor(Date.now() / 1000);
const signed = (sub: string) =>
  jsonwebtoken.sign({ sub, role: "user", email: "", jti: "j", type: "access", iat, exp: iat + 600 }, key);
const good = signed("1");

function caller(headers: Record<string, string>, cookieName: string | null = "session") {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return authenticator(new AccessTokens(key), cookieName)(request).user_id;
}

const refused = (code: string) => expect.objectContaining({ code, status: 401 });

describe("authenticator", () => {
  it("a guest is who sends nothing", () => {
    expect(caller({})).toBeNull();
    expect(caller({ cookie: "" })).toBeNull();
    expect(caller({ cookie: "other=x; sessions=y; xsession=z" })).toBeNull();
    expect(caller({ cookie: `session=${good}` }, null)).toBeNull();
    expect(Object.isFrozen(guest)).toBe(true);
  });

  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])(
    "%s names the scheme, with one blank or several",
    (scheme) => {
      expect(caller({ authorization: `${scheme} ${good}` })).toBe("1");
      expect(caller({ authorization: `${scheme}   ${good}` })).toBe("1");
    },
  );

  it.each([
    "",
    " ",
    "Bearer",
    "Bearer ",
    `Bearer\t${good}`,
    `Bearer\u00a0${good}`,
    `Bearer${good}`,
    `Bearer:${good}`,
    `Bearer ${good},`,
    `Bearer ${good}, Bearer ${good}`,
    `Bearer "${good}"`,
    `Basic ${good}`,
    `Token ${good}`,
    good,
    `Bearer ${good} x`,
    `x Bearer ${good}`,
    `Bearer ${"x".repeat(15_000)}`,
    `Bearer${" ".repeat(15_000)}`,
  ])("%.40j is no credential, and no guest's either", (authorization) => {
    expect(() => caller({ authorization })).toThrow(refused("INVALID_TOKEN"));
    expect(() => caller({ authorization, cookie: `session=${good}` })).toThrow(refused("INVALID_TOKEN"));
  });

  it("the order is Bearer, API key, cookie; the first that is there decides", () => {
    const cookie = `session=${signed("2")}`;
    expect(caller({ authorization: `Bearer ${good}`, "x-api-key": "kk_x", cookie })).toBe("1");
    expect(() => caller({ "x-api-key": "kk_x", cookie })).toThrow(refused("INVALID_API_KEY"));
    expect(() => caller({ "x-api-key": "", cookie })).toThrow(refused("INVALID_API_KEY"));
    expect(() => caller({ authorization: "Bearer kk_x", cookie })).toThrow(refused("INVALID_API_KEY"));
    expect(caller({ cookie: `a=b; session=${good} ; c=d` })).toBe("1");
  });

  it.each(["session=", "session=x", `session="${good}"`, `session=x; session=${good}`, `session=${good}=`])(
    "the cookie %.30s is refused",
    (cookie) => {
      expect(() => caller({ cookie })).toThrow(refused("INVALID_TOKEN"));
    },
  );
});

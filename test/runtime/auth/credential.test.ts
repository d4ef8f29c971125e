import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { sentCredential } from "#runtime/auth/http/authenticate";

const good = "eyJ.token.1";

/** What a request brings: `token:…`, `api-key:…`, or null. */
function sent(headers: Record<string, string>, name: string | null = "session"): string | null {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  const cookie = name === null ? null : { name, allowsOrigin: () => false };
  const credential = sentCredential(request, cookie);
  return credential === null ? null : `${credential.kind}:${credential.text}`;
}

const refused = (code: string) => expect.objectContaining({ code, status: 401 });

describe("sentCredential", () => {
  it("a guest is who sends nothing", () => {
    expect(sent({})).toBeNull();
    expect(sent({ cookie: "" })).toBeNull();
    expect(sent({ cookie: "other=x; sessions=y; xsession=z" })).toBeNull();
    expect(sent({ cookie: `session=${good}` }, null)).toBeNull();
  });

  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])(
    "%s names the scheme, with one blank or several",
    (scheme) => {
      expect(sent({ authorization: `${scheme} ${good}` })).toBe(`token:${good}`);
      expect(sent({ authorization: `${scheme}   ${good}` })).toBe(`token:${good}`);
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
    `Bearer ${good}, Bearer ${good}`,
    `Basic ${good}`,
    `Token ${good}`,
    good,
    `Bearer ${good} x`,
    `x Bearer ${good}`,
    `Bearer${" ".repeat(15_000)}`,
  ])("%.40j is no credential, and no guest's either", (authorization) => {
    expect(() => sent({ authorization })).toThrow(refused("INVALID_TOKEN"));
    expect(() => sent({ authorization, cookie: `session=${good}` })).toThrow(refused("INVALID_TOKEN"));
  });

  it("the order is Bearer, API key, cookie; the first that is there decides", () => {
    const cookie = "session=other";
    expect(sent({ authorization: `Bearer ${good}`, "x-api-key": "kk_x", cookie })).toBe(`token:${good}`);
    expect(sent({ "x-api-key": "kk_x", cookie })).toBe("api-key:kk_x");
    expect(sent({ "x-api-key": "", cookie })).toBe("api-key:");
    expect(sent({ authorization: "Bearer kk_x", cookie })).toBe("api-key:kk_x");
    expect(sent({ cookie: `a=b; session=${good} ; c=d` })).toBe(`token:${good}`);
  });

  it("a cookie is taken as it stands and never mended; two of the name are refused", () => {
    expect(sent({ cookie: "session=" })).toBe("token:");
    expect(sent({ cookie: `session="${good}"` })).toBe(`token:"${good}"`);
    expect(() => sent({ cookie: `session=x; session=${good}` })).toThrow(refused("INVALID_TOKEN"));
    expect(sent({ cookie: `session=${good}=` })).toBe(`token:${good}=`);
  });
});

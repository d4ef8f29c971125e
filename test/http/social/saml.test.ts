import { describe, expect, test } from "vitest";
import { outcome } from "../../support/scenarios.ts";
import { samlKeys } from "../../support/social/saml-keys.ts";
import {
  responseXml,
  type SamlSays,
  SamlServer,
  type Signed,
  samlService,
} from "../../support/social/saml-server.ts";
import { begin, socialService, socialSettings } from "../../support/social/sign-in.ts";

const campus = new SamlServer("idp.campus.example.edu", samlKeys.campus);
const partner = new SamlServer("idp.partner.example.edu", samlKeys.partner);
const byName = new SamlServer("idp.by-name.example.edu", samlKeys.partner);
const bare = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "");
// biome-ignore format: one entry a line
const settings = {
  client_id: undefined,
  sp_entity_id: samlService.entityId,
  sp_public_cert: samlKeys.service.cert.replaceAll("\n", " "),
  org_info: { "en-US": { name: "app", displayname: "App", url: "https://app.example.com" } },
  technical_contact: { givenName: "Tech", emailAddress: "tech@example.com" },
  support_contact: { givenName: "Help", emailAddress: "help@example.com" },
  enabled_idps: {
    campus: { entity_id: campus.entityId, url: campus.url, x509cert: bare(samlKeys.campus.cert) },
    partner: { entity_id: partner.entityId, url: partner.url, x509certMulti: { signing: [samlKeys.service.cert, samlKeys.partner.cert] },
      attr_user_permanent_id: "staff-number", attr_email: "mailbox", attr_full_name: "display" },
    by_name: { entity_id: byName.entityId, url: byName.url, x509cert: bare(samlKeys.partner.cert), attr_user_permanent_id: "name_id",
      attr_email: "name_id" },
  },
};
const secrets = { SP_PRIVATE_KEY: samlKeys.service.key.replaceAll("\n", "\\n") };
const social = socialSettings({ saml: { settings, secrets } });
const { service, users, reasons } = await socialService(social, { auth: { cookieName: "session" } });

/** A browser that was sent to an identity provider. */
async function start(name = "campus", idp = campus, query = "") {
  const { location, cookie, reply } = await begin(service, "saml", `?idp=${name}${query}`);
  const state = location.searchParams.get("RelayState") ?? "";
  return { location, cookie, reply, state, request: await idp.requestIn(location) };
}

/** `POST /auth/saml/callback`, as the page of an identity provider makes browsers send it. */
function post(form: Readonly<Record<string, string>>, cookie: string | null) {
  return service.send({
    method: "POST",
    path: "/auth/saml/callback",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: "https://idp.campus.example.edu",
      ...(cookie !== null && { cookie }),
    },
    body: Buffer.from(new URLSearchParams(form).toString()),
  });
}

/** A sign-in at the campus that comes back with another response. */
async function answer(
  change: Partial<SamlSays> = {},
  {
    signed = "assertion",
    by = campus,
    encrypted = false,
    forge = (xml: string) => xml,
  }: { signed?: Signed; by?: SamlServer; encrypted?: boolean; forge?: (xml: string) => string } = {},
) {
  const { cookie, state, request } = await start();
  const response = await by.respond({ ...campus.says(request), ...change }, signed, encrypted);
  const SAMLResponse = Buffer.from(forge(Buffer.from(response, "base64").toString())).toString("base64");
  return post({ SAMLResponse, RelayState: state }, cookie);
}

describe("SAML 2.0", () => {
  test.each<[Signed, boolean]>([
    ["assertion", false],
    ["message", false],
    ["both", false],
    ["assertion", true],
  ])("signs in where the %s is signed, encrypted: %s", async (signed, encrypted) => {
    const back = await answer({}, { signed, encrypted });
    expect(outcome(back), JSON.stringify(reasons())).toBe("200");
    const named = { first_name: "Ann", last_name: "Lee" };
    expect(await users()).toEqual([
      { provider: "saml", uid: "campus:ann", email: "ann@example.edu", is_verified: false, ...named },
    ]);
    expect(back.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^kirak_oauth=;.*SameSite=None/),
      expect.stringMatching(/^session=/),
    ]);
  });

  test("sets a cookie that a POST of another site brings", async () => {
    const { reply, location } = await start();
    expect(reply.status).toBe(302);
    expect(String(reply.headers["set-cookie"])).toMatch(/HttpOnly; Secure; SameSite=None/);
    // Longer than SAML recommends: identity providers return it as it is.
    expect(location.searchParams.get("RelayState")?.length).toBeGreaterThan(80);
    // biome-ignore format: a list of values
    expect([...location.searchParams.keys()].sort()).toEqual([
      "RelayState", "SAMLRequest", "SigAlg", "Signature",
    ]);
  });

  test("reads the attributes that the settings name, and ids of one identity provider are not another's", async () => {
    expect(outcome(await answer())).toBe("200");
    const { cookie, state, request } = await start("partner", partner);
    const attributes = {
      "urn:oid:0.9.2342.19200300.100.1.1": "ann",
      email: "ann@example.edu",
      "staff-number": "ann",
      mailbox: "ann@partner.example.edu",
      display: "Ann Marie Lee",
      idp: "campus",
    };
    const SAMLResponse = await partner.respond({ ...partner.says(request), attributes });
    expect(outcome(await post({ SAMLResponse, RelayState: state }, cookie)), JSON.stringify(reasons())).toBe(
      "200",
    );
    const named = { first_name: "Ann", last_name: "Marie Lee" };
    expect(await users()).toEqual([
      expect.objectContaining({ uid: "campus:ann" }),
      {
        provider: "saml",
        uid: "partner:ann",
        email: "ann@partner.example.edu",
        is_verified: false,
        ...named,
      },
    ]);
  });

  test("takes the subject's name for an id, unless it is another one each time or the settings name one", async () => {
    expect(outcome(await answer({ attributes: {} }))).toBe("200");
    expect(await users()).toMatchObject([{ uid: "campus:name-1", email: null }]);
    const nameIdFormat = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
    expect(outcome(await answer({ attributes: {}, nameIdFormat }))).toBe("401 SOCIAL_AUTH_FAILED");
    const { cookie, state, request } = await start("partner", partner);
    const SAMLResponse = await partner.respond(partner.says(request));
    expect(outcome(await post({ SAMLResponse, RelayState: state }, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(new Set(reasons())).toEqual(new Set(["the provider sent no valid user id"]));
  });

  test("takes the subject's name where the settings say so, unless it is another one each time", async () => {
    const { cookie, state, request } = await start("by_name", byName);
    const says = { ...byName.says(request), nameId: "ann@example.edu", attributes: { name_id: "admin" } };
    const answerWith = async (change: Partial<SamlSays>) => {
      const SAMLResponse = await byName.respond({ ...says, ...change });
      return outcome(await post({ SAMLResponse, RelayState: state }, cookie));
    };
    const nameIdFormat = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
    expect(await answerWith({ nameIdFormat })).toBe("401 SOCIAL_AUTH_FAILED");
    expect(await answerWith({})).toBe("200");
    expect(await users()).toMatchObject([{ uid: "by_name:ann@example.edu", email: "ann@example.edu" }]);
  });

  test("takes no answer out of an address", async () => {
    const { cookie, state, request } = await start();
    const SAMLResponse = await campus.respond(campus.says(request));
    const query = new URLSearchParams({ SAMLResponse, RelayState: state });
    const path = `/auth/saml/callback?${query}`;
    const reply = await service.send({ method: "GET", path, headers: { cookie } });
    expect([reply.status, reply.headers.allow]).toEqual([405, "POST"]);
    expect(outcome(await post({ SAMLResponse, RelayState: state }, cookie))).toBe("200");
  });

  test.each(["", "?idp=", "?idp=unknown", "?idp=../campus", "?idp=constructor"])(
    "login needs one of enabled_idps: %s",
    async (query) => {
      const { reply } = await begin(service, "saml", query);
      expect(outcome(reply)).toBe("400 VALIDATION_ERROR idp");
    },
  );
});

describe("a response of SAML", () => {
  const hour = 3_600_000;
  const now = Date.now();
  // biome-ignore format: one case a line
  test.each<[string, Partial<SamlSays>, RegExp]>([
    ["for another service", { audience: "https://other.example.com/saml" }, /audience/],
    ["sent to another address", { destination: "https://other.example.com/callback" }, /sent to another address/],
    ["that another service received", { recipient: "https://other.example.com/callback" }, /not for this sign-in/],
    ["that has expired", { until: now - 40_000, from: now - 60_000 }, /expired/],
    ["of long ago", { from: now - hour }, /No valid subject confirmation/],
    ["that is not valid yet", { from: now + hour, until: now + 2 * hour }, /not yet valid/],
    ["whose confirmation has expired", { confirmedUntil: now - hour }, /confirmation/],
    ["that only another service may still use", { confirmedUntil: now - hour, alsoFor: "https://other.example.com/callback" },
      /not for this sign-in/],
    ["about a user of another provider", { assertionIssuer: partner.entityId }, /the assertion is from another identity provider/],
    ["to another request", { inResponseTo: "_another" }, /another request/],
    ["whose subject answers another request", { subjectInResponseTo: "_another" }, /refused|match/],
    ["whose subject answers no request", { subjectInResponseTo: null }, /not for this sign-in/],
    ["that says no", { status: "urn:oasis:names:tc:SAML:2.0:status:Requester" }, /identity provider refused/],
    ["of a stranger", { issuer: "https://evil.example.com" }, /not in enabled_idps/],
  ])("is refused: %s", async (_, change, reason) => {
    for (const signed of ["assertion", "message"] as const)
      expect(outcome(await answer(change, { signed }))).toBe("401 SOCIAL_AUTH_FAILED");
    for (const one of reasons()) expect(one).toMatch(reason);
    expect(await users()).toEqual([]);
  });

  test("is refused: signed with another key", async () => {
    for (const signed of ["assertion", "message", "both"] as const)
      expect(outcome(await answer({}, { by: partner, signed }))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(new Set(reasons())).toEqual(new Set(["the response was refused: Invalid signature"]));
    expect(await users()).toEqual([]);
  });

  test("is refused: not signed", async () => {
    const { cookie, state, request } = await start();
    const SAMLResponse = Buffer.from(responseXml(campus.says(request))).toString("base64");
    expect(outcome(await post({ SAMLResponse, RelayState: state }, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(reasons()).toEqual(["the response was refused: Invalid signature"]);
  });

  // biome-ignore format: one case a line
  test.each<[string, string]>([
    ["no XML", "hello"],
    ["no response", "<a/>"],
    ["nothing", ""],
    ["entities", '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><Response InResponseTo="x"><Issuer>&b;</Issuer></Response>'],
    ["an outer entity", '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><Response InResponseTo="x"><Issuer>&a;</Issuer></Response>'],
    ["a depth without end", "<a>".repeat(5_000)],
  ])("is refused: %s", async (_, xml) => {
    const { cookie, state } = await start();
    const back = await post({ SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: state }, cookie);
    expect(outcome(back)).toMatch(/^(401 SOCIAL_AUTH_FAILED|400 VALIDATION_ERROR SAMLResponse)$/);
    expect(await users()).toEqual([]);
  });

  test("is refused: entities in a response that was signed", async () => {
    const forge = (xml: string) => `<!DOCTYPE r [<!ENTITY who "admin">]>${xml.replace(">ann<", ">&who;<")}`;
    expect(outcome(await answer({}, { forge }))).toBe("401 SOCIAL_AUTH_FAILED");
  });

  const assertionIn = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? "";
  const signatureIn = (xml: string) => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? "";
  /** An unsigned assertion about another user, under a new id or the id that was signed. */
  const evil = (xml: string, id?: string) => {
    const bareOne = assertionIn(xml).replace(signatureIn(xml), "").replace(">ann<", ">admin<");
    return id === undefined ? bareOne : bareOne.replace(/ ID="[^"]*"/, ` ID="${id}"`);
  };
  // biome-ignore format: one case a line
  test.each<[string, (xml: string) => string]>([
    ["an attribute was changed", (xml) => xml.replace(">ann<", ">admin<")],
    ["a second assertion comes first", (xml) => xml.replace("<saml:Assertion ", `${evil(xml, "_evil")}<saml:Assertion `)],
    ["a second assertion stands behind", (xml) => xml.replace("</samlp:Response>", `${evil(xml, "_evil")}</samlp:Response>`)],
    ["the second has the same id", (xml) => xml.replace("<saml:Assertion ", `${evil(xml)}<saml:Assertion `)],
    [
      "the signed one is inside the signature of another",
      (xml) => {
        const signed = assertionIn(xml);
        const signature = signatureIn(xml).replace("</ds:Signature>", `<ds:Object>${signed}</ds:Object></ds:Signature>`);
        const wrapped = evil(xml, "_evil").replace("</saml:Issuer>", `</saml:Issuer>${signature}`);
        return xml.replace(signed, wrapped);
      },
    ],
    [
      "the signed one is wrapped in extensions",
      (xml) => {
        const signed = assertionIn(xml);
        return xml.replace(signed, `<samlp:Extensions>${signed}</samlp:Extensions>${evil(xml, "_evil")}`);
      },
    ],
    [
      "the signed one is a part of the other",
      (xml) => {
        const signed = assertionIn(xml);
        return xml.replace(signed, evil(xml, "_evil").replace("</saml:Assertion>", `${signed}</saml:Assertion>`));
      },
    ],
    ["the signature is gone", (xml) => xml.replace(signatureIn(xml), "")],
    ["a word is cut by a comment", (xml) => xml.replace(">ann<", ">a<!-- -->nn<").replace(">name-1<", ">admin<!---->x<")],
  ])("does not change the identity if %s", async (_, forge) => {
    const back = await answer({}, { forge });
    expect(outcome(back)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(await users()).toEqual([]);
  });

  test("is read as a whole if it contains a comment, which the signature does not cover", async () => {
    expect(outcome(await answer({}, { forge: (xml) => xml.replace(">ann@ex", ">ann@<!-- -->ex") }))).toBe(
      "200",
    );
    expect(await users()).toMatchObject([{ email: "ann@example.edu" }]);
  });

  test("is refused because the service did not request it", async () => {
    const { cookie, state } = await start();
    const says = { ...campus.says(""), inResponseTo: null, subjectInResponseTo: null };
    const SAMLResponse = await campus.respond(says);
    expect(outcome(await post({ SAMLResponse, RelayState: state }, cookie))).toBe(
      "400 VALIDATION_ERROR SAMLResponse",
    );
    expect(outcome(await post({ SAMLResponse, RelayState: "/home" }, cookie))).toBe(
      "400 VALIDATION_ERROR state",
    );
    expect(outcome(await post({ SAMLResponse }, null))).toBe("400 VALIDATION_ERROR state");
    expect(outcome(await post({ RelayState: state }, cookie))).toBe("400 VALIDATION_ERROR SAMLResponse");
  });

  test("is refused: it answers another sign-in", async () => {
    const first = await start();
    const second = await start();
    const SAMLResponse = await campus.respond(campus.says(first.request));
    const mixed = await post({ SAMLResponse, RelayState: second.state }, second.cookie);
    expect(outcome(mixed)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(outcome(await post({ SAMLResponse, RelayState: first.state }, second.cookie))).toBe(
      "400 VALIDATION_ERROR state",
    );
    expect(outcome(await post({ SAMLResponse, RelayState: first.state }, null))).toBe(
      "400 VALIDATION_ERROR state",
    );
    expect(outcome(await post({ SAMLResponse, RelayState: first.state }, first.cookie))).toBe("200");
  });

  test.each(["web", "ios"])(
    "is refused: another identity provider answers, on platform %s",
    async (platform) => {
      const { cookie, state, request } = await start("campus", campus, `&platform=${platform}`);
      const SAMLResponse = await partner.respond({
        ...partner.says(request),
        attributes: { "staff-number": "ann" },
      });
      const back = await post({ SAMLResponse, RelayState: state }, platform === "web" ? cookie : null);
      expect(outcome(back)).toBe("401 SOCIAL_AUTH_FAILED");
      expect(reasons()).toEqual(["it answers another request"]);
      const again = await post(
        { SAMLResponse: await campus.respond(campus.says(request)), RelayState: state },
        platform === "web" ? cookie : null,
      );
      expect(outcome(again)).toBe("200");
    },
  );
});

describe("the settings of SAML", () => {
  const one = settings.enabled_idps.campus;
  // biome-ignore format: one case a line
  test.each<[unknown, RegExp]>([
    [{}, /must be an object of identity providers/],
    [["campus"], /must be an object of identity providers/],
    [{ "a b": one }, /error at "a b": a name can have letters/],
    [{ campus: "x" }, /error at "campus": must be an object/],
    [{ campus: { ...one, entity_id: undefined } }, /error at "campus": entity_id/],
    [{ campus: { ...one, url: "http://idp.example.edu" } }, /error at "campus": url must be an https address/],
    [{ campus: { ...one, x509cert: undefined } }, /error at "campus": x509cert or x509certMulti is missing/],
    [{ campus: { ...one, x509cert: "<certificate>" } }, /error at "campus": a certificate must be in PEM/],
    [{ campus: { ...one, attr_mail: "mail" } }, /error at "campus": "attr_mail" is not a setting; did you mean "attr_email"/i],
    [{ campus: one, copy: one }, /has an entity_id twice/],
  ])("are checked: %j", (enabled_idps, message) => {
    expect(() => socialSettings({ saml: { settings: { ...settings, enabled_idps }, secrets } })).toThrow(
      message,
    );
  });

  test("keep the private key out of the manifest", () => {
    expect(() => socialSettings({ saml: { settings, secrets: {} } })).toThrow(
      /SOCIAL_AUTH_SAML_SP_PRIVATE_KEY is not set/,
    );
  });
});

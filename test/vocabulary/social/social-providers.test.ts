import { describe, expect, test } from "vitest";
import type { SocialProvider } from "#vocabulary/social/provider";
import { secretsRequired, settingProblems, settingsRead } from "#vocabulary/social/provider-settings";
import { providerNameProblem, refusedProviders, socialProviders } from "#vocabulary/social/providers";

const rows = [...socialProviders];

/** The texts of a row that are templates, each with the way to it. */
function templatesOf(value: unknown, way = ""): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[way, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => templatesOf(part, `${way}.${name}`));
}

const requests = (row: SocialProvider) => {
  const { title: _, user: __, warning: ___, settings: ____, ...asked } = row;
  return templatesOf(asked);
};
const namesIn = (template: string) => [...template.matchAll(/\{([^{}"]+)\}/g)].map(([, name = ""]) => name);

/** What the exchange supplies, in addition to responses, settings and the parameters of the browser. */
const known = ["client_id", "client_secret", "access_token", "token_owner", "username", "access_url", "tid"];

const step = String.raw`(?:[\w~:/@-]+|\*|\[\d+\]|\[\w+=\w+\])`;
const plain = String.raw`(?:(?:profile|details|emails|token|id_token|access_token|form|openid):)?${step}(?:\.?${step})*(?:#last)?`;
const path = new RegExp(String.raw`^(?:saml:\S+|${plain})(?:\|(?:saml:\S+|${plain}))*$`);
const pathsOf = (text: string) => (text.startsWith("=") ? namesIn(text) : [text]);

describe("the table of providers", () => {
  test("refuses some names with a reason", () => {
    expect([...refusedProviders.keys()].filter((name) => socialProviders.has(name))).toEqual([]);
    for (const [name, reason] of refusedProviders)
      expect(providerNameProblem(name)).toEqual({
        message: `"${name}" cannot be used for sign-in`,
        hint: reason,
      });
  });

  test.each(["500px", "toString", "__proto__", "Google-oauth2", "google-oauth3", ""])("has no %j", (name) => {
    expect(providerNameProblem(name)).toMatchObject({ message: `"${name}" is not a sign-in provider` });
  });
});

describe.each(rows)("%s", (name, row) => {
  const read = settingsRead(row);
  const secrets = secretsRequired(row).flat();

  test("asks with what is there by then", () => {
    const may = [...known, ...read, ...secrets, row.loginParameter, row.callbackParameter];
    for (const [way, template] of requests(row))
      for (const one of namesIn(template))
        if (one.includes(":")) expect([way, one]).toEqual([way, expect.stringMatching(path)]);
        else expect([way, may]).toEqual([way, expect.arrayContaining([one])]);
  });

  test("has the positions of values in paths", () => {
    const { emailVerifiedBy: _, emailVerifiedIf = {}, ...user } = row.user;
    for (const text of [...Object.values(user), ...Object.keys(emailVerifiedIf)])
      for (const one of pathsOf(text)) expect(one).toMatch(path);
  });

  test("is only called at encrypted addresses", () => {
    const texts = [...requests(row), ...templatesOf(row.settings?.defaults ?? {})];
    for (const [way, text] of texts)
      expect([way, text]).not.toEqual([way, expect.stringMatching(/^(?!https:)[a-z]+:\/\//)]);
    const addresses = requests(row).filter(([way]) => !/\.(headers|parameters)\./.test(way));
    const bases = addresses.flatMap(([, text]) => /^\{(\w+)\}/.exec(text)?.[1] ?? []);
    for (const base of bases.filter((one) => read.includes(one))) {
      const problems = settingProblems(name, row, { [base]: "http://login.example.net" });
      expect(problems.map(({ setting }) => setting)).toContain(base);
    }
  });
});

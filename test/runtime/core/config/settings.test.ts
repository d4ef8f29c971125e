import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readManifest } from "#runtime/core/config/manifest";
import { readSettings, settableKeys } from "#runtime/core/config/settings";
import { loadEnvironment } from "#runtime/process/load-environment";
import schema from "../../../../schemas/manifest.schema.json" with { type: "json" };
import { configFolder, type Variables } from "../../../support/config-folder.ts";

const { root, manifestPath, ...folder } = configFolder();
const read = (variables: Variables, manifest: object = {}) => folder.read(manifest, variables);
const problemsOf = (variables: Variables, manifest: object = {}) => folder.problemsOf(manifest, variables);

/** The value that a text becomes for a key. */
function valueSet(variable: string, text: string): unknown {
  const problems: string[] = [];
  const [setting] = readSettings({ [variable]: text }, problems);
  expect(problems).toEqual([]);
  return setting?.value;
}

describe("each key of the manifest has its variable", () => {
  const ofDocument = ["docs__title", "docs__version", "docs__description"];
  const others = ["service_schema", "service_prefix", "auth_prefix", "modules", "typescript__kysely"];
  const generated = ["name", ...others, ...ofDocument];
  const keys = Object.entries<object>(schema.properties).flatMap(([key, value]) =>
    "properties" in value && value.properties instanceof Object
      ? Object.keys(value.properties).map((inner) => `${key}__${inner}`)
      : [key],
  );

  test("except those that are in generated code, and those that only the generator reads", () => {
    const expected = keys.filter((key) => !["$schema", "lint_ignore", ...generated].includes(key));
    const variables = expected.map((key) => `SERVICE_SET_${key.toUpperCase()}`);
    expect([...settableKeys.keys()].sort()).toEqual(variables.sort());
  });

  test.each(generated)("%s is refused", (key) => {
    const variable = `SERVICE_SET_${key.toUpperCase()}`;
    expect(problemsOf({ [variable]: "x" })).toEqual([
      `${variable} cannot be set: it is part of the generated code: change it in the manifest, then run npm run generate`,
    ]);
  });

  test("defaults and examples of the schema are parsed unchanged", () => {
    for (const [variable, { section, key }] of settableKeys) {
      const value = exampleOf(section, key);
      if (value === undefined) continue;
      const problems: string[] = [];
      const settings = readSettings({ [variable]: JSON.stringify(value) }, problems);
      writeFileSync(manifestPath, "{}");
      const manifest = readManifest({ path: manifestPath, label: "manifest", settings }, problems);
      expect(problems).toEqual([]);
      expect(manifest).toMatchObject(section === null ? { [key]: value } : { [section]: { [key]: value } });
    }
  });

  function exampleOf(section: string | null, key: string): unknown {
    const path = section === null ? [key] : [section, "properties", key];
    const found = path.reduce<unknown>((at, step) => Object(at)[step], schema.properties);
    const { examples, default: fallback }: { examples?: unknown[]; default?: unknown } = Object(found);
    return examples?.[0] ?? fallback;
  }
});

test("a setting overrides the manifest, which keeps its other values", () => {
  const manifest = { base_url: "https://a.example", auth: { bcrypt_cost: 5, cookie_name: "a" } };
  const config = read(
    {
      SERVICE_SET_BASE_URL: "https://b.example",
      SERVICE_SET_AUTH__BCRYPT_COST: "6",
      SERVICE_SET_RATE_LIMIT__ENABLED: "false",
      SERVICE_SET_CORS__ORIGINS: '["https://c.example"]',
    },
    manifest,
  );
  expect(config).toMatchObject({
    baseUrl: "https://b.example",
    auth: { bcryptCost: 6, cookieName: "a" },
    rateLimit: { enabled: false },
    cors: { origins: ["https://c.example"] },
    setByEnvironment: [
      "SERVICE_SET_AUTH__BCRYPT_COST",
      "SERVICE_SET_BASE_URL",
      "SERVICE_SET_CORS__ORIGINS",
      "SERVICE_SET_RATE_LIMIT__ENABLED",
    ],
  });
});

test("a setting replaces a wrong value of the manifest, and gives production its base_url", () => {
  const production = {
    NODE_ENV: "production",
    SERVICE_DATABASE_URL: "postgres://u:p@db/app",
    SERVICE_AUTH_JWT_SECRET_KEY: "s".repeat(32),
    SERVICE_SET_BASE_URL: "https://shop.example",
  };
  expect(problemsOf({ SERVICE_SET_AUTH__BCRYPT_COST: "10" }, { auth: { bcrypt_cost: 99 } })).toEqual([]);
  expect(read(production).baseUrl).toBe("https://shop.example");
});

test("an empty variable sets nothing", () => {
  const { auth, setByEnvironment } = read(
    { SERVICE_SET_AUTH__BCRYPT_COST: "" },
    { auth: { bcrypt_cost: 5 } },
  );
  expect([auth.bcryptCost, setByEnvironment]).toEqual([5, []]);
});

test("below the second level the value is JSON", () => {
  const social = { google: { client_id: "1", audience: ["1", "2"] } };
  expect(valueSet("SERVICE_SET_AUTH__SOCIAL", JSON.stringify(social))).toEqual(social);
  expect(problemsOf({ SERVICE_SET_AUTH__SOCIAL: '{"google": {"secret": "x"}}' })).toEqual([
    'SERVICE_SET_AUTH__SOCIAL: auth.social.google holds the secret "secret": remove it: secrets are environment variables',
  ]);
});

describe("the text of a key that takes a string", () => {
  test.each([
    ["SERVICE_SET_EMAIL__FROM", "123", "123"],
    ["SERVICE_SET_EMAIL__FROM", "true", "true"],
    ["SERVICE_SET_EMAIL__FROM", "null", "null"],
    ["SERVICE_SET_EMAIL__FROM", '{"a": 1}', '{"a": 1}'],
    ["SERVICE_SET_EMAIL__FROM", '"Shop" <a@shop.example>', '"Shop" <a@shop.example>'],
    ["SERVICE_SET_EMAIL__FROM", '"123"', "123"],
    ["SERVICE_SET_SERVER__LOG_LEVEL", "debug", "debug"],
    ["SERVICE_SET_MONITORING__LOG_CAPTURE_LEVEL", "ERROR", "ERROR"],
    ["SERVICE_SET_MONITORING__LOG_SHIP_URL", "null", null],
    ["SERVICE_SET_MONITORING__LOG_SHIP_URL", "https://logs.example", "https://logs.example"],
  ])("%s=%s is %j", (variable, text, value) => {
    expect(valueSet(variable, text)).toBe(value);
  });

  test("is itself, or the string that it is in JSON", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(valueSet("SERVICE_SET_EMAIL__FROM", JSON.stringify(text))).toBe(text);
        if (!text.trim().startsWith('"')) expect(valueSet("SERVICE_SET_EMAIL__FROM", text)).toBe(text);
      }),
    );
  });
});

test("any JSON is the value of a key that takes no string", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(valueSet("SERVICE_SET_CORS__ORIGINS", text)).toEqual(JSON.parse(text));
      expect(valueSet("SERVICE_SET_AUTH__BCRYPT_COST", text)).toEqual(JSON.parse(text));
    }),
  );
});

// biome-ignore format: one case a line
test.each([
  ["SERVICE_SET_AUTH__BCRYPT_COTS", "4", 'is not a key of the manifest; did you mean "SERVICE_SET_AUTH__BCRYPT_COST"?'],
  ["SERVICE_SET_AHUT__BCRYPT_COST", "4", 'is not a key of the manifest; did you mean "SERVICE_SET_AUTH__BCRYPT_COST"?'],
  ["SERVICE_SET_EMAIL__SMTP_URL", "x", "is not a key of the manifest: use SERVICE_SMTP_URL"],
  ["SERVICE_SET_SMS__AUTH_TOKEN", "x", "is not a key of the manifest: use SERVICE_TWILIO_AUTH_TOKEN"],
  ["SERVICE_SET_BASEURL", "4", 'is not a key of the manifest; did you mean "SERVICE_SET_BASE_URL"?'],
  ["SERVICE_SET_auth__bcrypt_cost", "4", 'is not a key of the manifest; did you mean "SERVICE_SET_AUTH__BCRYPT_COST"?'],
  ["SERVICE_SET_", "4", "is not a key of the manifest"],
  ["SERVICE_SET___PROTO____X", "4", "is not a key of the manifest"],
  ["SERVICE_SET_$SCHEMA", "4", "is not a key of the manifest"],
  ["SERVICE_SET_RATE_LIMIT", "{}", "names a section: set its keys one by one, as SERVICE_SET_RATE_LIMIT__<KEY>"],
  ["SERVICE_SET_AUTH__SOCIAL__GOOGLE", "{}", "has too many levels: set SERVICE_SET_AUTH__SOCIAL to the whole value as JSON"],
  ["SERVICE_SET_LINT_IGNORE", "{}", "cannot be set: only npm run generate reads it, from the manifest"],
])("%s=%s %s", (variable, text, problem) => {
  expect(problemsOf({ [variable]: text })).toEqual([`${variable} ${problem}`]);
});

// biome-ignore format: one case a line
test.each([
  ["SERVICE_SET_AUTH__BCRYPT_COST", "1", "auth.bcrypt_cost must be at least 4"],
  ["SERVICE_SET_AUTH__BCRYPT_COST", "ten", "auth.bcrypt_cost must be integer, written as JSON"],
  ["SERVICE_SET_AUTH__BCRYPT_COST", '"10"', "auth.bcrypt_cost must be integer"],
  ["SERVICE_SET_RATE_LIMIT__ENABLED", "no", "rate_limit.enabled must be boolean, written as JSON"],
  ["SERVICE_SET_CORS__ORIGINS", "https://a.example", 'cors.origins must be array, written as JSON, such as ["https://www.example.com"]'],
  ["SERVICE_SET_CORS__ORIGINS", '["*", "a.example"]', /^cors\.origins\.1 must match /],
  ["SERVICE_SET_CORS__ALLOW_ORIGIN_REGEX", "(", /^cors\.allow_origin_regex is not a regular expression/],
  ["SERVICE_SET_BASE_URL", "https://a.example/", /^base_url must match .*"https:\/\/api\.example\.com"$/],
  ["SERVICE_SET_RATE_LIMIT__TRUSTED_PROXY_IPS", '["a"]', /^rate_limit\.trusted_proxy_ips holds "a"/],
  ["SERVICE_SET_SERVER__LOG_LEVEL", "loud", /^server\.log_level must be one of trace, /],
])("%s=%s is refused by its name", (variable, text, problem) => {
  const expected = typeof problem === "string" ? problem : expect.stringMatching(problem);
  const [found = "", ...more] = problemsOf({ [variable]: text });
  expect(found.startsWith(`${variable}: `)).toBe(true);
  expect([found.slice(variable.length + 2), ...more]).toEqual([expected]);
});

test("a problem between two keys names the variable that set its place", () => {
  const auth = { cookie_name: "__Host-token" };
  expect(problemsOf({ SERVICE_SET_AUTH__COOKIE_DOMAIN: "example.com" }, { auth })).toEqual([
    expect.stringMatching(/^SERVICE_SET_AUTH__COOKIE_DOMAIN: auth\.cookie_domain must be left out/),
  ]);
});

test("an invalid section of the manifest is refused there, whichever variables are set", () => {
  expect(problemsOf({ SERVICE_SET_AUTH__BCRYPT_COST: "5" }, { auth: [] })).toEqual([
    "models/manifest.json: auth must be object",
  ]);
});

test(".env sets as well, unless the environment sets it already", () => {
  const folder = mkdtempSync(join(root, "env-"));
  writeFileSync(
    join(folder, ".env"),
    "SERVICE_SET_EMAIL__FROM='Shop <a@shop.example>'\nSERVICE_SET_SMS__FROM=file\n",
  );
  process.env["SERVICE_SET_SMS__FROM"] = "set";
  try {
    const problems: string[] = [];
    expect(readSettings(loadEnvironment(folder), problems).map(({ value }) => value)).toEqual([
      "Shop <a@shop.example>",
      "set",
    ]);
  } finally {
    delete process.env["SERVICE_SET_SMS__FROM"];
    delete process.env["SERVICE_SET_EMAIL__FROM"];
  }
});

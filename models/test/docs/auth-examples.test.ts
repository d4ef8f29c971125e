import { readFileSync } from "node:fs";
import speakeasy from "speakeasy";
import { expect, test, vi } from "vitest";
import { curlExamples, curlRequest } from "../../../test/support/docs.ts";
import { type Reply, sendRequest } from "../../../test/support/request.ts";
import { developmentPassword } from "../../seed/accounts.ts";
import { knownEmails } from "../../seed/people.ts";
import { shopService } from "../shop-service.ts";

// Passwords are hashed as in production.
vi.setConfig({ testTimeout: 60_000 });

const { origin, send, found } = await shopService();
const page = (name: string) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8");

const examples = ["sign-in", "sessions", "passwords", "account-administration", "second-factor", "api-keys"]
  .map(page)
  .flatMap(curlExamples);

/** What a command has of this run, instead of what stands in the docs. */
const values = new Map<string, string>();

function run(command: string): Promise<Reply> {
  const names = new RegExp(
    [...values.keys()].map((name) => name.replace("$", "\\$")).join("|") || "(?!)",
    "g",
  );
  const line = command.replace(names, (name) => values.get(name) ?? "");
  return sendRequest(origin, curlRequest(line));
}

/** What differs from run to run. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w.-]+…?/g, "a token"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a moment"],
  [/kk_[0-9a-f]+/g, "a key"],
  [/"[a-z2-7]{5}-[a-z2-7]{5}"/g, '"a backup code"'],
  [/secret=[A-Z2-7]+/g, "a secret"],
  [/"(id|user_id)":\d+/g, '"$1":"an id"'],
  [/"[0-9a-f]{8}-[0-9a-f-]{27}","reference":"BK-\w+"/g, '"an id","reference":"a reference"'],
];

const masked = (answer: string): unknown =>
  JSON.parse(varying.reduce((text, [pattern, name]) => text.replace(pattern, name), answer));

interface Data {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly user_id: number };
  readonly provisioning_uri: string;
  readonly backup_codes: readonly string[];
  readonly api_key: string;
  readonly key_prefix: string;
}

const isOf = (route: string, command: string) => new RegExp(`localhost:3000${route}[?' ]`).test(command);

/** Runs the first example of a route that has not run, and compares the answers. */
async function follow(route: string): Promise<Data> {
  const place = examples.findIndex(({ command }) => isOf(route, command));
  const [{ command, answer } = { command: "", answer: "" }] = examples.splice(place, 1);
  expect(command).toContain(route);
  const reply = await run(command);
  expect(masked(reply.text)).toEqual(masked(answer));
  return JSON.parse(reply.text).data;
}

function keep({ accessToken, refreshToken }: Data): void {
  values.set("$TOKEN", accessToken).set("$REFRESH", refreshToken);
}

async function signIn(email: string, password: string): Promise<void> {
  keep(JSON.parse((await send("POST /auth/login", null, { email, password })).text).data);
}

test("the requests of the pages about accounts get the answers that the pages show", async () => {
  const { user } = await follow("/auth/register");
  values.set('"user_id": 903', `"user_id": ${user.user_id}`);
  const link = await found(/\/auth\/verify-email\?token=[\w.-]+/);
  await follow("/auth/request-verification");
  expect((await send(`GET ${link}`, null)).status).toBe(200);
  keep(await follow("/auth/login"));
  await follow("/auth/me");
  keep(await follow("/auth/refresh-token"));
  await follow("/auth/logout");

  await signIn("ann@example.com", "Correct.Horse.1");
  await follow("/auth/change-password");
  await follow("/auth/request-reset-password");
  const [, token = ""] = (await found(/\/auth\/forgot-password\?token=[\w.-]+/)).split("=");
  values.set("$LINK_TOKEN", token);
  await follow("/auth/reset-password");
  await signIn(knownEmails.admin, developmentPassword);
  await follow("/auth/generate-verification-link");

  await follow("/auth/request-otp");
  values.set("651856", await found(/\d{6}(?= is your code)/));
  await follow("/auth/verify-otp");

  await signIn(knownEmails.reader, developmentPassword);
  const factor = await follow("/auth/setup-mfa");
  const secret = new URL(factor.provisioning_uri).searchParams.get("secret") ?? "";
  values.set("492817", speakeasy.totp({ secret, encoding: "base32" }));
  values.set("3bw5r-ci42f", factor.backup_codes[1] ?? "");
  await follow("/auth/verify-mfa");
  await follow("/auth/disable-mfa");

  const key = await follow("/auth/api-keys/create");
  values.set("$KEY", key.api_key).set("kk_688d34c3", key.key_prefix);
  await follow("/auth/api-keys/list");
  await follow("/orders/fetch");
  await follow("/auth/api-keys/revoke");
  // Codes by e-mail are off in the book shop; a session has the address and program of the one who made it.
  expect(examples.map(({ command }) => /localhost:3000(\S+)/.exec(command)?.[1])).toEqual([
    "/auth/request-email-code",
    "/auth/sessions",
  ]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { accountRoutes } from "#runtime/modules/auth/index";
import { errorCodes } from "#vocabulary/error-codes";

const root = join(import.meta.dirname, "..", "..");
const page = (name: string) => readFileSync(join(root, "docs", `${name}.md`), "utf8");
const text = page("auth");
const signingIn = ["sign-in", "passwords", "second-factor", "sessions", "api-keys"].map(page).join("\n");
const others = ["account", "account-deletion", "account-administration", "passkeys"].map(page).join("\n");
const pages = [text, signingIn, others, page("social"), page("credentials")].join("\n");

test("docs/auth.md has each route of the accounts in its table, and no other", () => {
  const documented = [...text.matchAll(/^\| \[`([A-Z]+ \/auth\S*)`\]/gm)].map(([, route]) => route);
  expect(documented.sort()).toEqual(accountRoutes.map(({ method, path }) => `${method} /auth${path}`).sort());
});

const isSocial = (path: string) => /provider|apple|web-auth/.test(path);

test("the pages about accounts show a request of each route that is not a page", () => {
  const requests = new Set(
    [...pages.matchAll(/curl .*?localhost:3000(\/auth[\w/{}-]*)/g)].map(([, path]) =>
      path?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "{id}"),
    ),
  );
  // The two forms of one question; and a check that its own text shows with another body.
  const alike = ["/auth/get-current-user"];
  const missing = accountRoutes
    .filter(
      ({ path }) => !["/verify-email", "/forgot-password", "/sign-in"].includes(path) && !isSocial(path),
    )
    .map(({ path }) => `/auth${path}`)
    .filter((path) => !requests.has(path) && !alike.includes(path));
  expect(missing).toEqual([]);
});

test("the pages about accounts name each error code that the accounts answer with", () => {
  const folder = join(root, "runtime", "modules", "auth");
  const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
  const thrown = Object.keys(errorCodes).filter((code) => source.includes(`"${code}"`));
  expect(thrown.length).toBeGreaterThan(12);
  const missing = thrown.filter((code) => !pages.includes(`\`${code}\``) && !pages.includes(`"${code}"`));
  expect(missing).toEqual([]);
});

test("the answers of sign-in are envelopes", () => {
  const answers = [...signingIn.matchAll(/```json\n(\{"statusCode.*?)```/gs)].map(([, json]) =>
    JSON.parse(json ?? ""),
  );
  expect(answers.length).toBeGreaterThan(15);
  for (const { error, ...answer } of answers) {
    expect(answer).toMatchObject({ status: error === undefined ? "success" : "error" });
    if (error !== undefined) {
      const known = Object.entries(errorCodes).find(([code]) => code === error);
      expect(known?.[1].status).toBe(answer.statusCode);
    }
  }
});

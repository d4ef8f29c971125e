import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import bcrypt from "bcrypt";
import { afterAll, describe, expect, test } from "vitest";
import { service } from "../../../http/fixture/generated/index.ts";
import { onTerminal, runCommand } from "../../../support/command.ts";
import { compiled } from "../../../support/compiled.ts";
import { serviceDatabase, testDatabase } from "../../../support/database.ts";
import { needs } from "../../../support/needs.ts";

const module = new URL("create-admin-in-process.ts", import.meta.url);
const root = mkdtempSync(join(tmpdir(), "kirak-create-admin-"));
mkdirSync(join(root, "models"));
writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ auth: { bcrypt_cost: 4 } }));
afterAll(() => rmSync(root, { recursive: true }));

const { url, query } = await serviceDatabase(service);
const password = "Correct-Horse-1!";
const variables = { SERVICE_DATABASE_URL: url, SERVICE_ADMIN_PASSWORD: password };

const createAdmin = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  runCommand(module, { root, args, environment });
const accountOf = async (email: string) => {
  const [row] = await query("SELECT * FROM users WHERE email = $1", [email]);
  return row;
};

test("makes a verified, active account from the environment, with the canonical e-mail", async () => {
  const outcome = await createAdmin({ ...variables, SERVICE_ADMIN_EMAIL: " Ann@Example.com " });
  const row = await accountOf("ann@example.com");
  expect(outcome).toMatchObject({ code: 0, complained: "" });
  expect(JSON.parse(outcome.printed)).toMatchObject({ user_id: Number(row?.["id"]), role: "admin" });
  expect(row).toMatchObject({ role: "admin", is_verified: true, is_active: true, first_name: null });
  expect(await bcrypt.compare(password, row?.["password"])).toBe(true);
  expect(outcome.printed).not.toMatch(/Correct-Horse|ann@/i);
});

test("takes another role and names as flags", async () => {
  const args = "--email bob@example.com --role staff --first-name Bob --last-name Lee".split(" ");
  expect((await createAdmin(variables, ...args)).code).toBe(0);
  expect(await accountOf("bob@example.com")).toMatchObject({
    role: "staff",
    first_name: "Bob",
    last_name: "Lee",
  });
});

test("refuses a common password, and one of a name, if the manifest asks for it", async () => {
  const manifestPath = join(root, "models/manifest.json");
  const before = readFileSync(manifestPath, "utf8");
  writeFileSync(
    manifestPath,
    JSON.stringify({ name: "bookshop", auth: { bcrypt_cost: 4, refuse_common_passwords: true } }),
  );
  const args = ["--email", "may@example.com", "--first-name", "Marguerite"];
  for (const weak of ["Password2026!", "Marguerite!26", "Bookshop!2026"]) {
    const outcome = await createAdmin({ ...variables, SERVICE_ADMIN_PASSWORD: weak }, ...args);
    expect(outcome).toMatchObject({
      code: 1,
      complained: expect.stringMatching(/^The password is easy to guess: /),
    });
  }
  writeFileSync(manifestPath, before);
  expect(await accountOf("may@example.com")).toBeUndefined();
});

test("prints a note if no access rule names the role", async () => {
  const outcome = await createAdmin(variables, "--email", "dee@example.com", "--role", "staf");
  expect(outcome).toMatchObject({ code: 0, complained: "" });
  const [warning] = outcome.printed.split("\n");
  const msg = 'no access rule names the role staf; did you mean "staff"?';
  expect(JSON.parse(warning ?? "")).toMatchObject({ level: 40, msg });
  expect(await accountOf("dee@example.com")).toMatchObject({ role: "staf" });
});

// biome-ignore format: one case a line
test.each([
  ["an address that has an account", ["--email", "ANN@example.com"], {}, /^An account with this e-mail exists\.\n$/],
  ["an invalid e-mail address", ["--email", "ann@"], {}, /^the e-mail must be one plain address\n$/],
  ["a weak password", ["--email", "cy@example.com"], { SERVICE_ADMIN_PASSWORD: "short" }, /^The password must have at least 12 characters; .*\n$/],
  ["an invalid role", ["--email", "cy@example.com", "--role", "guest"], {}, /^role: is not a role that/],
  ...["signed_in", "*", "self"].map(
    (role) =>
      [
        `the role ${role}, which only rules have`,
        ["--email", "cy@example.com", "--role", role],
        {},
        /^role: is not a role that an account can have: "(signed_in|\*|self)" stands for (several roles|the owner of the account) in access rules\n$/,
      ] as const,
  ),
  ["no terminal and no variables", [], { SERVICE_ADMIN_PASSWORD: "" },
    /^cannot ask for missing values without a terminal: set SERVICE_ADMIN_EMAIL \(or --email\) and SERVICE_ADMIN_PASSWORD\n$/],
] as const)("refuses %s", async (_, args, environment, message) => {
  const before = await query("SELECT count(*) FROM users");
  const outcome = await createAdmin({ ...variables, ...environment }, ...args);
  expect(outcome).toEqual({ code: 1, printed: "", complained: expect.stringMatching(message) });
  expect(await query("SELECT count(*) FROM users")).toEqual(before);
});

test("reports pending migrations, and unknown arguments", async () => {
  const empty = await testDatabase();
  const environment = { ...variables, SERVICE_DATABASE_URL: empty.url };
  expect(await createAdmin(environment, "--email", "cy@example.com")).toMatchObject({
    code: 1,
    complained: "the migration kirak_0001_accounts and 4 more are pending: run npm run migrate first\n",
  });
  expect(await createAdmin({}, "--password", "x")).toMatchObject({
    code: 2,
    complained: expect.stringMatching(/^Unknown argument: password\n`kirak create-admin --help` lists/),
  });
});

// That of other systems takes other flags.
const script = process.platform === "linux" ? needs("script") : null;

describe.skipIf(script === null)("on a terminal", () => {
  const command = [process.execPath, fileURLToPath(compiled(module)), root];
  const start = () => onTerminal(script ?? "", command, { SERVICE_DATABASE_URL: url });

  test("asks, again where an answer will not do, and never shows the password", async () => {
    const session = start();
    await session.answer("E-mail: ", "dora\r");
    await session.answer("one plain e-mail address.\nE-mail: ", "dora@example.com\r");
    await session.answer("Password (not shown): ", "short\r");
    await session.answer("Password (not shown): ", `${password}\r`);
    await session.answer("Repeat the password: ", "something else\r");
    // Both at once, as a password manager types them.
    await session.answer("not the same.\nPassword (not shown): ", `${password}\r${password}\r`);
    expect(await session.exit).toBe(0);
    expect(session.screen()).toMatch(/created the account \d+ with the role admin/);
    expect(session.screen()).not.toMatch(/Correct-Horse|short|something else/);
    expect(await bcrypt.compare(password, (await accountOf("dora@example.com"))?.["password"])).toBe(true);
  });

  test.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s ends it with exit code 1, and nothing is made", async (_, key) => {
    const session = start();
    await session.answer("E-mail: ", "eve@example.com\r");
    await session.answer("Password (not shown): ", key);
    expect(await session.exit).toBe(1);
    expect(await accountOf("eve@example.com")).toBeUndefined();
  });
});

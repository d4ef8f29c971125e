import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { secretLines, secretNames } from "#cli/secrets/secret-lines";
import { writeSecrets, writtenText } from "#cli/secrets/write-secrets";

let root: string;
const inEnv = () => readFileSync(join(root, ".env"), "utf8");
const modeOf = () => statSync(join(root, ".env")).mode & 0o777;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kirak-secrets-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("without an .env, one is created that other users cannot read, for any umask", () => {
  const umask = process.umask(0);
  try {
    const written = writeSecrets(root);
    expect(written).toEqual({ created: true, added: secretNames, empty: [], readableByOthers: false });
    expect(writtenText(written)).toBe(`created .env with ${secretNames.join(", ")}\n`);
  } finally {
    process.umask(umask);
  }
  expect(modeOf()).toBe(0o600);
  expect(Object.keys(parseEnv(inEnv())).sort()).toEqual([...secretNames].sort());
  expect(readdirSync(root)).toEqual([".env"]);
});

test.each([
  ["a line", "SERVICE_DATABASE_URL=postgres://a:b@db/shop\n", "\n"],
  ["no end of its last line", "SERVICE_DATABASE_URL='postgres://a:b@db/shop' # ours", "\n\n"],
  ["lines of Windows", "# ours\r\nSERVICE_DATABASE_URL=postgres://a:b@db/shop\r\n", "\n"],
  ["nothing", "", ""],
])("to a .env with %s the secrets are added, below what is there", (_, before, gap) => {
  writeFileSync(join(root, ".env"), before, { mode: 0o600 });
  expect(writeSecrets(root)).toMatchObject({ created: false, added: secretNames });
  expect(inEnv().startsWith(`${before}${gap}# `)).toBe(true);
  const { SERVICE_DATABASE_URL, ...others } = parseEnv(inEnv());
  expect(SERVICE_DATABASE_URL ?? "").toBe(before === "" ? "" : "postgres://a:b@db/shop");
  expect(Object.keys(others).sort()).toEqual([...secretNames].sort());
});

test("a byte order mark in front hides no secret", () => {
  writeFileSync(join(root, ".env"), "\ufeffSERVICE_AUTH_JWT_SECRET_KEY=ours\n");
  expect(writeSecrets(root).added).not.toContain("SERVICE_AUTH_JWT_SECRET_KEY");
});

test("only missing values are added; empty ones stay so, and no value is printed", () => {
  const before =
    "SERVICE_AUTH_JWT_SECRET_KEY=ours\nexport POSTGRES_PASSWORD=\n# SERVICE_AUTH_API_KEY_SECRET=\n";
  writeFileSync(join(root, ".env"), before, { mode: 0o600 });
  const written = writeSecrets(root);
  const added = secretNames.filter((name) => !/JWT|POSTGRES/.test(name));
  expect(written).toEqual({ created: false, added, empty: ["POSTGRES_PASSWORD"], readableByOthers: false });
  expect(inEnv().startsWith(before)).toBe(true);
  expect(writtenText(written)).toBe(
    `added to .env: ${added.join(", ")}\nstill without a value: POSTGRES_PASSWORD\n`,
  );
});

test("where every secret is there nothing is written", () => {
  writeSecrets(root);
  const before = { text: inEnv(), file: statSync(join(root, ".env")).ino };
  expect(writtenText(writeSecrets(root))).toBe(".env has every secret: nothing was added\n");
  expect({ text: inEnv(), file: statSync(join(root, ".env")).ino }).toEqual(before);
});

test.skipIf(process.platform === "win32")(
  "a file keeps its mode; a mode that lets others read it is reported",
  () => {
    writeFileSync(join(root, ".env"), "PORT=4000\n");
    for (const [mode, open] of [
      [0o644, true],
      [0o640, true],
      [0o600, false],
    ] as const) {
      chmodSync(join(root, ".env"), mode);
      writeFileSync(join(root, ".env"), "PORT=4000\n");
      const written = writeSecrets(root);
      expect({ mode: modeOf(), open: written.readableByOthers }).toEqual({ mode, open });
      expect(/chmod 600 \.env/.test(writtenText(written))).toBe(open);
    }
  },
);

// biome-ignore format: one case a line
test.each([
  ["a symbolic link", () => symlinkSync("elsewhere", join(root, ".env")), /is a symbolic link, .* `npm run --silent secrets` prints/],
  ["a folder", () => mkdirSync(join(root, ".env")), /is a folder/],
  ["UTF-16", () => writeFileSync(join(root, ".env"), "PORT=1\r\n", "utf16le"), /is not UTF-8 text/],
])("%s in its place is refused in words, and nothing is written", (_, make, said) => {
  make();
  const attempt = () => writeSecrets(root);
  expect(attempt).toThrow(expect.objectContaining({ name: "CommandError" }));
  expect(attempt).toThrow(said);
  expect(readdirSync(root)).toEqual([".env"]);
});

test("where it cannot be written the file is as it was", () => {
  writeFileSync(join(root, ".env"), "PORT=4000\n", { mode: 0o600 });
  writeFileSync(join(root, `.env.${process.pid}.tmp`), "");
  expect(() => writeSecrets(root)).toThrow(/^\.env cannot be written \(EEXIST.*nothing was changed/);
  expect(inEnv()).toBe("PORT=4000\n");
});

test("added and printed values have the same form", () => {
  writeSecrets(root);
  const form = (text: string) => text.replace(/=.*/g, "=");
  expect(form(inEnv())).toBe(form(secretLines()));
});

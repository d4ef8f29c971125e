import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { CommandError } from "#runtime/process/failure";
import { loadEnvironment } from "#runtime/process/load-environment";

const root = mkdtempSync(join(tmpdir(), "kirak-environment-"));
const path = join(root, ".env");
const names = ["KIRAK_TEST_A", "KIRAK_TEST_B"] as const;

afterEach(() => {
  rmSync(path, { recursive: true, force: true });
  for (const name of names) delete process.env[name];
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test("an app without .env has the environment alone", () => {
  expect(loadEnvironment(root)).toBe(process.env);
});

test("what is set wins over .env, an empty value too", () => {
  writeFileSync(path, "KIRAK_TEST_A=file\nKIRAK_TEST_B='of the file'\n");
  process.env["KIRAK_TEST_A"] = "";
  loadEnvironment(root);
  expect(names.map((name) => process.env[name])).toEqual(["", "of the file"]);
});

test("a byte order mark in front of .env is not part of the first name", () => {
  writeFileSync(path, "\ufeffKIRAK_TEST_A=file\nKIRAK_TEST_B=file\n");
  loadEnvironment(root);
  expect(names.map((name) => process.env[name])).toEqual(["file", "file"]);
});

test("a folder in its place is told", () => {
  mkdirSync(path);
  expect(() => loadEnvironment(root)).toThrow(CommandError);
  expect(() => loadEnvironment(root)).toThrow(/^\.env cannot be read by this user \(EISDIR/);
});

// The root user may read whatever there is.
test.skipIf(process.getuid?.() === 0)("a file of somebody else is told", () => {
  writeFileSync(path, "KIRAK_TEST_A=file\n");
  chmodSync(path, 0o000);
  expect(() => loadEnvironment(root)).toThrow(/^\.env cannot be read by this user \(EACCES/);
});

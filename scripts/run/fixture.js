// @ts-check
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./compile.js";

/** Generates the service that the tests of `test/http/` start. Its code is not committed; the goldens are. */
const fixture = "test/http/fixture";
const models = `${fixture}/models.json`;
const manifest = `${fixture}/manifest.json`;
const out = `${fixture}/generated`;
const program = join(root, "scripts", "run", "kirak.js");
const words = [program, "generate", "--models", models, "--manifest", manifest, "--out", out];

rmSync(join(root, out), { recursive: true, force: true });
const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
process.exitCode = status ?? 1;

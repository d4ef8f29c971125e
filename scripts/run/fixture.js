// @ts-check
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./compile.js";

/** Generates the services that the tests of `test/http/` start. Their code is not committed; the goldens are. */
const fixtures = ["test/http/fixture", "test/http/existing-tables/app", "test/http/mcp/app"];
const program = join(root, "scripts", "run", "kirak.js");

for (const fixture of fixtures) {
  const out = `${fixture}/generated`;
  const inputs = ["--models", `${fixture}/models.json`, "--manifest", `${fixture}/manifest.json`];
  rmSync(join(root, out), { recursive: true, force: true });
  const words = [program, "generate", ...inputs, "--out", out];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  if (status === 0) continue;
  process.stderr.write(`${stdout}${stderr}`);
  process.exitCode = status ?? 1;
}

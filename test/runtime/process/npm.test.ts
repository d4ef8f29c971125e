import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { compiled } from "../../support/compiled.ts";
import { testDatabase } from "../../support/database.ts";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const dash = process.platform === "linux" ? needs("dash") : null;
const program = fileURLToPath(compiled(new URL("service-in-process.ts", import.meta.url)));

/** Starts the service by npm, whose shell stays between both, and waits until it listens. */
async function startByNpm() {
  const { url } = await testDatabase();
  const root = temporaryFolder("kirak-npm-");
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models/manifest.json"), "{}");
  const scripts = { start: `"${process.execPath}" "${program}" "${root}" && true` };
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "shop", private: true, scripts }));
  // biome-ignore format: many a line
  const npm = spawn("npm", ["start"], {
    cwd: root,
    // A process group of its own, so that the test can end all that is left of it.
    detached: true,
    env: {
      PATH: process.env["PATH"], HOME: root, PORT: "0", HOST: "127.0.0.1", SERVICE_DATABASE_URL: url,
      npm_config_script_shell: dash ?? "", npm_config_update_notifier: "false",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const group = npm.pid ?? 0;
  onTestFinished(() => {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // All of it has ended.
    }
  });
  let output = "";
  await new Promise<void>((resolve) =>
    npm.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("listening on")) resolve();
    }),
  );
  return { npm, output: () => output };
}

test.skipIf(dash === null).each(["SIGTERM", "SIGKILL"] as const)(
  "the service stops in order when the npm that started it ends by %s",
  async (signal) => {
    const { npm, output } = await startByNpm();
    npm.kill(signal);
    // Its output is open for as long as the service has it.
    await once(npm, "close");
    expect(output()).toContain("stopped");
  },
);

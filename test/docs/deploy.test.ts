import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { commandTable } from "#cli/command-table";
import { fixedPaths } from "#vocabulary/built-in-routes";
import { repository } from "../generator/support/project.ts";
import { configFolder } from "../support/config-folder.ts";

const folder = join(repository, "docs", "deploy");
/** The code blocks of all pages, without the prose. */
const hosts = readdirSync(folder).map((name) => ({
  name,
  blocks: [...readFileSync(join(folder, name), "utf8").matchAll(/```(\w+)\n([^`]*)```/g)].map(
    ([, language = "", text = ""]) => ({ language, text }),
  ),
}));
const textOf = ({ blocks }: (typeof hosts)[number]) => blocks.map(({ text }) => text).join("\n");
const { read } = configFolder();

/** How the files of the hosts write the value of a variable. */
const assignments = [
  /^ *(?:- )?(?:name|key): (\w+)\n +value: "?([^"\n]+?)"?$/gm,
  /^ *(SERVICE_\w+)(?: = |: |=)["']?([^"'\n]+?)["']?$/gm,
];
const variablesIn = (text: string) =>
  Object.fromEntries(
    assignments.flatMap((form) => [...text.matchAll(form)].map(([, name = "", value = ""]) => [name, value])),
  );

const configOf = (text: string) =>
  read(
    { name: "shop", email: { from: "shop@example.com" } },
    { SERVICE_SMTP_URL: "smtp://localhost", ...variablesIn(text) },
  );

describe.each(hosts)("$name", (host) => {
  const text = textOf(host);

  it("runs commands that exist", () => {
    const commands = [...text.matchAll(/\bkirak["',\]]*[ ,]+(?:--args )?([a-z][\w-]*)/g)].map(
      ([, name]) => name,
    );
    const known = commandTable.map((row) => row.name);
    expect(commands.filter((name) => !known.includes(name ?? ""))).toEqual([]);
    if (host.name !== "docker-compose.md") expect(commands).toContain("purge");
  });

  it("sets variables that the service takes", () => {
    const { warnings } = configOf(text);
    expect(warnings.filter((line) => /does not exist|unknown|no effect/.test(line))).toEqual([]);
  });

  it("asks the service whether it is ready", () => {
    const probes = [
      ...text.matchAll(/(?:path|healthCheckPath|healthcheckPath)"?(?:: | = )"?(\/[a-z]+)/g),
    ].map(([, path]) => path);
    const known: readonly unknown[] = [fixedPaths.health, fixedPaths.ready];
    expect(probes.filter((path) => !known.includes(path))).toEqual([]);
    if (!["docker-compose.md", "systemd.md"].includes(host.name)) expect(probes).toContain(fixedPaths.ready);
  });

  it("has YAML and JSON that parse", () => {
    const texts = (language: string) =>
      host.blocks.filter((block) => block.language === language).map((block) => block.text);
    expect(texts("yaml").flatMap((yaml) => parseAllDocuments(yaml).flatMap(({ errors }) => errors))).toEqual(
      [],
    );
    for (const json of texts("json")) JSON.parse(json.replace(/^\/\/.*\n/, ""));
  });
});

/** In seconds: how long the host waits after SIGTERM. */
const limits: readonly (readonly [name: string, limit: RegExp | number])[] = [
  ["kubernetes.md", /terminationGracePeriodSeconds: (\d+)/g],
  ["fly.md", /kill_timeout = "(\d+)s"/g],
  ["render.md", /maxShutdownDelaySeconds: (\d+)/g],
  ["railway.md", /"drainingSeconds": (\d+)/g],
  ["systemd.md", /TimeoutStopSec=(\d+)/g],
  // Cloud Run has no setting.
  ["cloud-run.md", 10],
];

test.each(limits)("%s gives the service the time to stop", (name, limit) => {
  const host = hosts.find((one) => one.name === name);
  const text = host === undefined ? "" : textOf(host);
  const waits =
    typeof limit === "number" ? [limit] : [...text.matchAll(limit)].map(([, seconds]) => Number(seconds));
  const { server } = configOf(text);
  expect(Math.min(...waits)).toBeGreaterThan(server.shutdownTimeoutSeconds);
  expect(server.drainSeconds).toBeLessThan(server.shutdownTimeoutSeconds);
});

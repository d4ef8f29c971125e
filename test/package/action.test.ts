import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { linkedApp } from "./support/installed.ts";
import { run } from "./support/run.ts";
import { commit } from "./support/whole-way.ts";

const root = join(inject("runFolder"), "action", "shop");
const app = await linkedApp(root, "--example", "blank");
const { runs } = parse(app.read("node_modules/kirak/action.yml"));
const [step]: [{ run: string; env: Readonly<Record<string, string>> }] = runs.steps;

/** A program in place of GitHub's, which needs an account: it keeps its words, and answers with the id of a comment. */
const gh = `#!/bin/sh
printf '%s\\n' "$*" >> "$GH_LOG"
for word in "$@"; do case "$word" in body=@*) cp "\${word#body=@}" "$GH_LOG.body";; esac; done
case "$*" in *--body-file*) for last; do :; done; cp "$last" "$GH_LOG.body";; *--paginate*) printf '%s' "$GH_FOUND";; esac
`;
const tools = join(inject("runFolder"), "action", "bin");
mkdirSync(tools, { recursive: true });
writeFileSync(join(tools, "gh"), gh);
chmodSync(join(tools, "gh"), 0o755);

let runsSoFar = 0;

/** Runs the step as GitHub does. */
async function review(variables: Readonly<Record<string, string>>) {
  const place = join(tools, String(++runsSoFar));
  mkdirSync(place);
  const [log, summary] = [join(place, "gh"), join(place, "summary.md")];
  const environment = {
    PATH: `${tools}:${process.env["PATH"]}`,
    ...{ REPORT: join(place, "report.md"), GITHUB_STEP_SUMMARY: summary, GH_LOG: log, GH_FOUND: "" },
    ...{ BASE: "HEAD", NUMBER: "7", COMMENTS: "true", GH_TOKEN: "none", GH_REPO: "shop/shop" },
    ...variables,
  };
  const { code } = await run("bash", ["-eo", "pipefail", "-c", step.run], { folder: root, environment });
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : null);
  return { code, summary: read(summary), called: read(log), body: read(`${log}.body`) };
}

test("the action comments the report, updates its comment, and ends as the check does", {
  timeout: 400_000,
}, async () => {
  await app.kirakSucceeds("generate");
  await commit(app, "begin");
  expect(Object.keys(step.env).sort()).toEqual([
    "BASE",
    "COMMENTS",
    "GH_REPO",
    "GH_TOKEN",
    "NUMBER",
    "REPORT",
  ]);
  const unchanged = await review({});
  expect(unchanged).toMatchObject({ code: 0, body: null });

  const models = JSON.parse(app.read("models/models.json"));
  const [key = ""] = Object.keys(models).filter((name) => !name.startsWith("$"));
  models[key].access.delete = [{ role: "*" }];
  writeFileSync(join(root, "models", "models.json"), JSON.stringify(models, null, 2));
  const wider = await review({});
  expect(wider).toMatchObject({ code: 1, summary: expect.stringContaining(`${key}.delete`) });
  expect(wider.body).toMatch(/^<!-- kirak review -->\n/);
  expect(wider.body).toContain(wider.summary);
  expect(wider.called).toMatch(/\npr comment 7 --body-file /);

  const again = await review({ GH_FOUND: "12" });
  expect(again.called).toMatch(/\napi --method PATCH repos\/shop\/shop\/issues\/comments\/12 /);
  expect(again.body).toBe(wider.body);
  const ofFork = await review({ COMMENTS: "false" });
  expect(ofFork).toMatchObject({ code: 1, called: null, summary: wider.summary });
  await app.succeed("git", "checkout", "models");
  const back = await review({ GH_FOUND: "12" });
  expect(back).toMatchObject({ code: 0, body: expect.stringContaining("No change for callers") });
});

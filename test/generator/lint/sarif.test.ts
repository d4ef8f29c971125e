import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sarifOf } from "#generator/diagnostics/sarif";
import { project } from "../support/project.ts";

const golden = join(import.meta.dirname, "sarif.golden.json");
const models = {
  books: {
    rate_limit: { restore: { max_requests: 1, window_seconds: 1 } },
    fields: { title: { type: "string", searchable: true }, api_key: { type: "string" } },
    access: {
      fetch: [{ role: "user" }],
      search: [{ role: "admin" }],
      create: [{ role: "*" }],
      fields: { title: {} },
    },
    lint_ignore: { "unindexed-search": "a few hundred rows" },
  },
};

/** The log of a lint run, as it is printed. */
async function log(content: object | string, manifest: object = { name: "fixture" }) {
  const { generate, write } = project({}, manifest);
  write("models/models.json", content);
  return JSON.parse(JSON.stringify(sarifOf(await generate({ mode: "lint" }))));
}

test("findings, warnings and silenced findings become one log", async () => {
  const text = `${JSON.stringify(await log(models), null, 2)}\n`;
  if (process.env["UPDATE_GOLDENS"] === "1") writeFileSync(golden, text);
  expect(text).toBe(readFileSync(golden, "utf8"));
});

test("errors are results of their own level", async () => {
  const { runs } = await log({ books: { fields: { title: { type: "strnig" } } } });
  const levels = runs[0].results.map((result: { ruleId: string; level: string }) => [
    result.ruleId,
    result.level,
  ]);
  expect(levels).toEqual([
    ["unreachable-model", "warning"],
    ["unknown-field-type", "error"],
  ]);
});

test("fingerprints outlive lines that come and go, and tell findings apart", async () => {
  const prints = (text: { runs: { results: { partialFingerprints: object }[] }[] }) =>
    text.runs.flatMap(({ results }) => results.map(({ partialFingerprints }) => partialFingerprints));
  const rules = { fetch: [{ role: "admin" }], create: [{ role: "*" }, { role: "guest" }] };
  const twice = { wall: { fields: { text: { type: "text" } }, access: rules } };
  const before = prints(await log(JSON.stringify(twice)));
  const after = prints(await log(`\n\n\n${JSON.stringify(twice, null, 4)}`));
  expect(after).toEqual(before);
  expect(new Set(before.map((print) => JSON.stringify(print))).size).toBe(2);
});

test("paths are URIs", async () => {
  const { generate, write } = project();
  write("my models/a b.json", models);
  const result = await generate({ mode: "lint", models: "my models/a b.json" });
  expect(JSON.stringify(sarifOf(result))).toContain('"uri":"my%20models/a%20b.json"');
});

test("a log without findings has a run without results, which says that it ran", async () => {
  const { runs } = await log({});
  expect(runs).toMatchObject([{ tool: { driver: { name: "kirak", rules: [] } }, results: [] }]);
});

test("nothing from the models is a placeholder or a link", async () => {
  const role = "{0} [here](https://example.org)";
  const { runs } = await log({ books: { fields: {}, access: { destroy: [{ role }] } } });
  expect(runs[0].results[0].message.text).toMatch(
    /^"\{\{0\}\} \\\[here\\\]\(https:\/\/example\.org\)" can permanently delete/,
  );
});

type Node = Record<string, unknown>;

/** What the schema and the text of SARIF 2.1.0 demand of the parts that are used here. */
function violations(document: Node): string[] {
  const problems: string[] = [];
  const demand = (holds: boolean, what: string) => {
    if (!holds) problems.push(what);
  };
  const only = (node: Node, keys: readonly string[], where: string) =>
    demand(
      Object.keys(node).every((key) => keys.includes(key)),
      `${where} has other keys`,
    );
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  // 3.11.5, 3.11.6: no placeholder, and no link.
  const isPlain = (value: unknown) => !/[{}]|(?<!\\)[[\]]/.test(String(value).replace(/\{\{|\}\}/g, ""));
  const message = (node: Node) =>
    isText(node["text"]) && isPlain(node["text"]) && Object.keys(node).length === 1;
  const location = (node: Node) => {
    only(node, ["physicalLocation"], "location");
    const physical = node["physicalLocation"] as Node;
    only(physical, ["artifactLocation", "region"], "physicalLocation");
    const artifact = physical["artifactLocation"] as Node;
    only(artifact, ["uri", "uriBaseId"], "artifactLocation");
    // 3.4.4: with a base the URI is a relative reference.
    demand(/^(?![a-z]+:|\/)[\x21-\x7e]+$/i.test(String(artifact["uri"])), "uri is no relative reference");
    const region = physical["region"] as Record<string, number>;
    only(region, ["startLine", "startColumn", "endLine", "endColumn"], "region");
    for (const value of Object.values(region))
      demand(Number.isInteger(value) && value >= 1, "region below 1");
    // 3.30.8: the end column is the one after the last character.
    demand((region["endColumn"] ?? 0) > (region["startColumn"] ?? 0), "an empty region");
  };
  only(document, ["$schema", "version", "runs"], "log");
  demand(document["version"] === "2.1.0", "version");
  for (const run of document["runs"] as Node[]) {
    only(run, ["tool", "columnKind", "results"], "run");
    demand(run["columnKind"] === "utf16CodeUnits", "columnKind");
    const { driver } = run["tool"] as { driver: Node };
    only(driver, ["name", "rules"], "driver");
    const rules = driver["rules"] as Node[];
    demand(new Set(rules.map(({ id }) => id)).size === rules.length, "a rule appears twice");
    for (const rule of rules) {
      only(rule, ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"], "rule");
      for (const key of ["shortDescription", "fullDescription", "help"])
        demand(message(rule[key] as Node), `${key} is no message`);
    }
    const results = run["results"] as Node[];
    for (const result of results) {
      // biome-ignore format: one case a line
      const keys = [
        "ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "suppressions",
      ];
      only(result, keys, "result");
      demand(rules[Number(result["ruleIndex"])]?.["id"] === result["ruleId"], "ruleIndex names another rule");
      demand(["none", "note", "warning", "error"].includes(String(result["level"])), "level");
      demand(message(result["message"] as Node), "message");
      for (const each of result["locations"] as Node[]) location(each);
      demand(Object.values(result["partialFingerprints"] as Node).every(isText), "fingerprints are texts");
      // 3.27.23: all results have suppressions, or none.
      for (const each of result["suppressions"] as Node[]) {
        only(each, ["kind", "justification", "location"], "suppression");
        demand(each["kind"] === "inSource" && isText(each["justification"]), "suppression");
        location(each["location"] as Node);
      }
    }
  }
  return problems;
}

test("the log is valid SARIF 2.1.0", async () => {
  expect(violations(await log(models))).toEqual([]);
  expect(violations(await log({ books: { fields: { title: { type: "strnig" } } } }))).toEqual([]);
});

import { expect, test } from "vitest";
import { parseArguments } from "../../../generator/cli/arguments.ts";
import { placesIn } from "../../../generator/cli/plain-run.ts";

test.each([
  [],
  ["--out", "made"],
  ["--manifest", "other/manifest.json", "--models", "/project/other/models.json", "--out", "./made/"],
])("%s %s asks for nothing but a run, at the places that the flags say", async (...words) => {
  const parsed = await parseArguments(words);
  const { models, manifest, out } = "flags" in parsed ? parsed.flags : { models: "", manifest: "", out: "" };
  const inProject = (path: string) => path.replace(/^(\/project\/|\.\/)/, "").replace(/\/$/, "");
  expect(placesIn("/project", words)).toEqual({
    root: "/project",
    models: inProject(models),
    manifest: inProject(manifest),
    out: inProject(out),
  });
});

test.each([
  ["--check"],
  ["--dry-run"],
  ["--force"],
  ["--json"],
  ["--watch"],
  ["--lint"],
  ["--help"],
  ["--base", "HEAD"],
  ["--rebase", "0002_a"],
  ["--accept-destructive", "drop_table:a"],
  ["--report", "markdown"],
  ["--out"],
  ["--out", ""],
  ["--out", "--check"],
  ["--out=made"],
  ["--out", "a", "--out", "b"],
  ["--out", "a", "--check"],
  ["models"],
  ["models", "x"],
  ["out", "x"],
  ["-out", "x"],
  ["toString", "x"],
])("%s %s may ask for more", (...words) => {
  expect(placesIn("/project", words)).toBeNull();
});

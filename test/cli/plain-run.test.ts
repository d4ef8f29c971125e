import { expect, test } from "vitest";
import { command } from "#cli/commands/generate";
import { placesIn } from "#cli/generate/plain-run";
import { asked } from "./support/asked.ts";

test.each([
  [],
  ["--out", "made"],
  ["--manifest", "other/manifest.json", "--models", "/project/other/models.json", "--out", "./made/"],
])("%s %s asks for nothing but a run, at the places that the flags say", async (...words) => {
  const { models, manifest, out } = Object((await asked(command, words)).wanted);
  const inProject = (path: unknown) =>
    String(path)
      .replace(/^(\/project\/|\.\/)/, "")
      .replace(/\/$/, "");
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

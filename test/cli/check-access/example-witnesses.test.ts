import { expect, it } from "vitest";
import { conditionText } from "#generator/emit/views/condition-view";
import { guest } from "#runtime/models/access/index";
import { newCaller, rulesOf, witnessesOf, worldOfApp } from "./support/witnesses-of-app.ts";

it.each([".", "examples/tracker", "examples/clinic", "examples/blank"])("%s", async (app) => {
  const world = await worldOfApp(app);
  const start = performance.now();
  const counts = { rules: 0, in: 0, out: 0, missing: 0 };
  const lines: string[] = [];
  let id = 100;
  for (const each of rulesOf(world)) {
    const { role } = each.rule;
    id++;
    const caller =
      role === "guest" || role === "*"
        ? guest
        : await newCaller(world, String(id), role === "signed_in" ? "user" : role);
    const { made, missing } = await witnessesOf(world, each, caller);
    counts.rules++;
    for (const { kind } of made) counts[kind]++;
    counts.missing += missing.length;
    for (const { atom, reason } of missing)
      lines.push(`${each.model.key}.${each.operation} ${role}: ${each.rule.text} | ${atom}: ${reason}`);
  }
  console.log(app, counts, Math.round(performance.now() - start), "ms\n", lines.join("\n"));
  void conditionText;
  expect(counts.rules).toBeGreaterThan(0);
});

import { expect, test } from "vitest";
import { readMigrateArguments } from "../../../runtime/commands/migrate-arguments.ts";

test.each([
  ["", { command: "up", dryRun: false }],
  ["up --to 0002_x", { command: "up", to: "0002_x", dryRun: false }],
  ["--dry-run", { command: "up", dryRun: true }],
  ["down", { command: "down", dryRun: false, acceptDataLoss: false }],
  [
    "down --to=0001_a --accept-data-loss --dry-run",
    { command: "down", to: "0001_a", dryRun: true, acceptDataLoss: true },
  ],
  ["status", { command: "status", json: false }],
  ["status --json", { command: "status", json: true }],
  ["verify", { command: "verify", json: false, strict: false }],
  ["verify --json --strict", { command: "verify", json: true, strict: true }],
  ["baseline 0001_baseline", { command: "baseline", to: "0001_baseline", unverified: false }],
  ["baseline 0001_baseline --unverified", { command: "baseline", to: "0001_baseline", unverified: true }],
])("npm run migrate -- %s", (line, command) => {
  expect(readMigrateArguments(line.split(" ").filter((word) => word !== ""))).toEqual(command);
});

test.each([
  ["sideways", "unknown command sideways"],
  ["toString", "unknown command toString"],
  ["up 0002_x", "up takes no word like 0002_x"],
  ["up --to", "option '--to <value>' argument missing"],
  ["up --accept-data-loss", "up has no flag --accept-data-loss"],
  ["up --json", "up has no flag --json"],
  ["down --force", "unknown option '--force'"],
  ["status --dry-run", "status has no flag --dry-run"],
  ["status extra", "status takes no word like extra"],
  ["status --strict", "status has no flag --strict"],
  ["verify --dry-run", "verify has no flag --dry-run"],
  ["baseline", "baseline needs the name of a migration"],
  ["verify --unverified", "verify has no flag --unverified"],
  ["baseline 0001_a 0002_b", "baseline takes no word like 0002_b"],
  ["baseline 0001_a --dry-run", "baseline has no flag --dry-run"],
])("not npm run migrate -- %s", (line, wrong) => {
  expect(readMigrateArguments(line.split(" "))).toEqual({ wrong });
});

import { expect, test } from "vitest";
import { filesIn, textOf } from "./import-graph.ts";

/** Names that two files export or more: one meaning in two programs, or a type of each protocol, store or route. */
// biome-ignore format: many a line
const shared: readonly string[] = [
  "AiRun", "Answers", "Change", "Check", "Column", "Comparison", "Database", "FailureReason", "Field", "ForeignKey", "Limit",
  "LogShipping", "McpCall", "Models", "Operation", "QueueFigures", "RouteContext", "RowWriter", "Selected", "Selection", "Statement",
  "Step", "Subject", "Variables", "accountRoutes", "anyText", "appView", "atOnce", "checkAccess", "codeOf", "command", "exists", "id", "inTransaction",
  "localFilesRoute", "lockOf", "monitoringRoutes", "oneOf", "page", "parseJson", "rateLimits", "readPage", "readParameters",
  "resetPassword", "rowsByIds", "startWorker", "upsert", "verifyEmail", "versionOf",
];

const declared =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

test("an exported name has one meaning: two files export the same name only if it is listed here", () => {
  const files = ["vocabulary", "generator", "runtime", "cli"].flatMap(filesIn);
  const exporters = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, name = ""] of textOf(file).matchAll(declared))
      exporters.set(name, (exporters.get(name) ?? new Set()).add(file));
  const twice = [...exporters].filter(([, by]) => by.size > 1).map(([name]) => name);
  expect(twice.sort()).toEqual([...shared].sort());
  expect(shared.length).toBeLessThanOrEqual(60);
});

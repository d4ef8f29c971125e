import { escapeInvisible } from "#generator/emit/literal";
import { commandOutput, createLog, explain, loadEnvironment, supervise } from "#runtime/process/index";
import { loadService } from "../app/load-service.ts";
import { configurationOf, generatedParts, setVariables, versionsIn } from "./app-info.ts";
import { databaseInfo } from "./database-info.ts";

/** Runs `kirak info` as this process. */
export function runInfo(root: string, json: boolean): Promise<never> {
  return supervise(async (closers) => {
    const environment = loadEnvironment(root);
    const log = createLog("info", "error", commandOutput(null));
    const service = await loadService(root).catch(problemOf);
    const folder = "problem" in service ? undefined : service.migrations;
    const info = {
      versions: versionsIn(root),
      generated: "problem" in service ? service : await generatedParts(root, service).catch(problemOf),
      configuration: configurationOf(root, environment),
      environment: setVariables(environment),
      ...(await databaseInfo({ root, environment, folder, log, closers })),
    };
    const lines = json ? [JSON.stringify(info, null, 2)] : linesOf(info).map(escapeInvisible);
    process.stdout.write(`${lines.join("\n")}\n`);
  });
}

function problemOf(error: unknown) {
  return { problem: explain(error) };
}

/** Keys and values of a report, indented below their key; null values are left out. */
function linesOf(part: object): string[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (value === null) return [];
    if (typeof value !== "object") {
      const text = Array.isArray(part) ? `${value}` : `${key}: ${value}`;
      return text.replaceAll("\n", "\n  ").split("\n");
    }
    const below = linesOf(value);
    return below.length === 0 ? [`${key}: none`] : [key, ...below.map((line) => `  ${line}`)];
  });
}

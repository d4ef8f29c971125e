import { commandOutput, createLog, explain, loadEnvironment, supervise } from "#runtime/process/index";
import { loadService } from "../app/load-service.ts";
import { configurationOf, generatedParts, setVariables, versionsIn } from "./app-info.ts";
import { databaseInfo } from "./database-info.ts";
import { printInfo } from "./print-info.ts";

/** Runs `kirak info` as this process. */
export function runInfo(root: string, json: boolean): Promise<never> {
  return supervise(async (closers) => {
    const environment = loadEnvironment(root);
    const log = createLog("info", "error", commandOutput(null));
    const service = await loadService(root).catch((error: unknown) => ({ problem: explain(error) }));
    const folder = "problem" in service ? undefined : service.migrations;
    const info = {
      versions: versionsIn(root),
      generated: "problem" in service ? service : generatedParts(root, service),
      configuration: configurationOf(root, environment),
      environment: setVariables(environment),
      ...(await databaseInfo({ root, environment, folder, log, closers })),
    };
    process.stdout.write(json ? `${JSON.stringify(info, null, 2)}\n` : printInfo(info));
  });
}

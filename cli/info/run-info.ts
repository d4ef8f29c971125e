import { commandOutput, createLog, explain, loadEnvironment, supervise } from "#runtime/process/index";
import type { Service } from "#runtime/server/service";
import type { LoadService } from "../app/lazy-service.ts";
import { appName, configurationOf, generatedParts, setVariables, versionsIn } from "./app-info.ts";
import { databaseInfo, type Unreadable } from "./database-info.ts";
import { type Info, printInfo } from "./print-info.ts";

interface Asked {
  readonly json: boolean;
  readonly root: string;
  readonly load: LoadService;
}

/** Runs `kirak info` as this process. */
export function runInfo({ json, root, load }: Asked): Promise<never> {
  return supervise(async (closers) => {
    const environment = loadEnvironment(root);
    const log = createLog("info", "error", commandOutput(null));
    const service = await loaded(root, load);
    const isLoaded = !("problem" in service);
    const folder = isLoaded ? service.migrations : undefined;
    const info: Info = {
      versions: versionsIn(root),
      app: appName(root),
      generated: isLoaded ? generatedParts(root, service) : service,
      configuration: configurationOf(root, environment),
      environment: setVariables(environment),
      ...(await databaseInfo({ root, environment, folder, log, closers })),
    };
    process.stdout.write(json ? `${JSON.stringify(info, null, 2)}\n` : printInfo(info));
  });
}

async function loaded(root: string, load: LoadService): Promise<Service | Unreadable> {
  try {
    return await load(root);
  } catch (error) {
    return { problem: explain(error) };
  }
}

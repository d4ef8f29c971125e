import type { MarkedRun } from "./command.ts";

/** Runs programs one after the other for `command.ts`. A module that was already loaded runs again; its imports do not. */
let runs = 0;

process.on("message", (run: MarkedRun) => void perform(run));

async function perform({ module, args, environment, folder, mark }: MarkedRun): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  process.argv = [process.execPath, module, ...args];
  process.exitCode = undefined;
  const code = await new Promise<unknown>((resolve) => {
    process.exit = (given) => {
      resolve(given ?? process.exitCode ?? 0);
      throw new Error("the program has ended");
    };
    import(`${module}?run=${++runs}`).then(
      () => resolve(process.exitCode ?? 0),
      (error: unknown) => resolve(String(error)),
    );
  });
  for (const event of ["SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"])
    process.removeAllListeners(event);
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.send?.(code);
}

/** `npm run dev`: generates when a model changes, and starts the server anew when code changes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const generate = ["scripts/run/kirak.js", "generate"];
const watched = ["generated", "vocabulary", "runtime", "models"].flatMap((folder) => [
  "--watch-path",
  folder,
]);
const commands = [
  [...generate, "--watch"],
  [...watched, "--watch-preserve-output", "scripts/run/source.js", "scripts/start.ts"],
];

// Nobody can watch a folder that is not there yet, nor start from it.
if (!existsSync("generated")) {
  const { status } = spawnSync(process.execPath, generate, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
const children: ChildProcess[] = commands.map((parameters) =>
  spawn(process.execPath, parameters, { stdio: "inherit" }),
);

let stopping = false;

/** Once, and as it was told itself: a server that gets another signal after the first one ends without finishing. */
function stop(signal: NodeJS.Signals): void {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill(signal);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop(signal));
for (const child of children) child.on("exit", () => stop("SIGTERM"));

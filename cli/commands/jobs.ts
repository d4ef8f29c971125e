import type { JobsCommand } from "#runtime/process/commands/index";
import { type CommandGroup, defineCommand } from "../define-command.ts";

const exitCodes = {
  0: "done",
  1: "the job does not exist or is running, or the queue has no tables yet",
  2: "unknown arguments",
};

const list = defineCommand({
  about:
    "Lists jobs that are waiting, running or dead, with their attempts and last error. Completed jobs are removed.",
  flags: { json: { type: "boolean", describe: "print JSON" } },
  examples: [
    ["", "list waiting, running and dead jobs"],
    ["--json | jq '.[] | select(.state == \"dead\")'", "only dead jobs"],
  ],
  exitCodes,
  read: (given): JobsCommand => ({ command: "list", json: given.has("json") }),
  run: execute,
});

const retry = changing("retry", {
  about: "Runs a waiting or dead job now, with a fresh number of attempts.",
  examples: [["42", "after you fixed the cause of the failure"]],
});

const remove = changing("remove", {
  about: "Removes a waiting or dead job.",
  examples: [["42", "remove job 42"]],
});

/** `kirak jobs`. */
export const command: CommandGroup = {
  about: "Lists and changes the job queue, also while the service runs.",
  commands: {
    list: { summary: "lists waiting, running and dead jobs", command: list },
    retry: { summary: "runs a job now, with a fresh number of attempts", command: retry },
    remove: { summary: "removes a job", command: remove },
  },
  usual: "list",
  examples: [
    ["", "list waiting, running and dead jobs"],
    ["retry 42", "after you fixed the cause of the failure"],
  ],
  exitCodes,
};

function changing(name: "retry" | "remove", help: Pick<CommandGroup, "about" | "examples">) {
  return defineCommand({
    ...help,
    flags: {},
    word: {
      name: "id",
      describe: "id of a job from the list",
      missing: `${name} needs the id of a job`,
    },
    exitCodes,
    read: (given) => ({ command: name, id: given.words[0] ?? "" }),
    problem: ({ id }) =>
      /^[1-9]\d{0,17}$/.test(id) ? null : `${name} needs the id of a job; ${JSON.stringify(id)} is not an id`,
    run: execute,
  });
}

async function execute(input: JobsCommand, root: string): Promise<never> {
  const { runJobs } = await import("#runtime/process/commands/index");
  return runJobs(root, input);
}

import type { JobsCommand } from "#runtime/process/commands/index";
import { type CommandGroup, defineCommand } from "../define-command.ts";

const exitCodes = {
  0: "done",
  1: "there is no such job, it runs just now, or the queue has no tables yet",
  2: "words that it does not know",
};

const list = defineCommand({
  about:
    "Lists the jobs that wait, run or are dead, with how often they were tried and what went wrong last; those that are done are gone.",
  flags: { json: { type: "boolean", describe: "print them as JSON, for programs" } },
  examples: [
    ["", "what waits, runs or is dead"],
    ["--json | jq '.[] | select(.state == \"dead\")'", "the dead ones alone"],
  ],
  exitCodes,
  read: (given): JobsCommand => ({ command: "list", json: given.has("json") }),
  run: execute,
});

const retry = changing("retry", {
  about: "Has a job that waits or is dead run at once, and be tried as often as at first.",
  examples: [["42", "once what made job 42 fail is mended"]],
});

const remove = changing("remove", {
  about: "Removes a job that waits or is dead.",
  examples: [["42", "job 42 is not to run any more"]],
});

/** `kirak jobs`. */
export const command: CommandGroup = {
  about: "Shows and changes the queue of jobs. Works while the service runs.",
  commands: {
    list: { summary: "those that wait, run or are dead", command: list },
    retry: { summary: "has one run at once, and be tried as often as at first", command: retry },
    remove: { summary: "removes one", command: remove },
  },
  usual: "list",
  examples: [
    ["", "what waits, runs or is dead"],
    ["retry 42", "once what made job 42 fail is mended"],
  ],
  exitCodes,
};

function changing(name: "retry" | "remove", told: Pick<CommandGroup, "about" | "examples">) {
  return defineCommand({
    ...told,
    flags: {},
    word: {
      name: "id",
      describe: "id of a job, as the list has it",
      missing: `${name} needs the id of a job`,
    },
    exitCodes,
    read: (given) => ({ command: name, id: given.words[0] ?? "" }),
    problem: ({ id }) =>
      /^[1-9]\d{0,17}$/.test(id) ? null : `${name} needs the id of a job, and ${JSON.stringify(id)} is none`,
    run: execute,
  });
}

async function execute(wanted: JobsCommand, root: string): Promise<never> {
  const { runJobs } = await import("#runtime/process/commands/index");
  return runJobs(root, wanted);
}

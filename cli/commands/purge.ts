import { defineCommand } from "../define-command.ts";

/** `kirak purge`. */
export const command = defineCommand({
  about:
    "Removes what has expired: revoked access tokens, refresh tokens, API keys, reset tokens, one-time codes and counters of rate limits; with the storage module also what uploads left behind more than a day ago.",
  flags: {},
  examples: [["", "once a day, by a scheduler"]],
  exitCodes: {
    0: "done",
    1: "the database or the storage cannot be reached, or lacks tables of this version",
    2: "words that it does not know",
  },
  more: "It may run in several places at once, and while the service is in use.",
  read: () => null,
  async run(_, root) {
    const { runPurge } = await import("#runtime/process/commands/index");
    return runPurge(root);
  },
});

import { defineCommand } from "../define-command.ts";

/** `kirak purge`. */
export const command = defineCommand({
  about:
    "Removes expired data: revoked access tokens, refresh tokens and ended sessions, API keys, links, one-time codes, changes that were not confirmed, and rate-limit counters; with the storage module also leftovers of uploads older than a day.",
  flags: {},
  examples: [["", "once a day, from a scheduler"]],
  exitCodes: {
    0: "done",
    1: "the database or the storage cannot be reached, or lacks tables of this version",
    2: "unknown arguments",
  },
  more: "Concurrent runs are safe, also while the service runs.",
  read: () => null,
  async run(_, root) {
    const { runPurge } = await import("#runtime/process/commands/index");
    return runPurge(root);
  },
});

import type { UsersCommand } from "#runtime/process/commands/index";
import type { LoadService } from "../app/lazy-service.ts";
import { type CommandGroup, defineCommand, type Flag } from "../define-command.ts";

const exitCodes = {
  0: "done",
  1: "refused: the account does not exist, it is the last administrator, or rows refer to it; or the database cannot be reached",
  2: "unknown arguments",
};
const who = "id or e-mail address of the account";
const json: Flag = { type: "boolean", describe: "print JSON" };

/** `kirak users`, for the service that `load` returns. */
export function usersCommands(load: LoadService): CommandGroup {
  const run = async (input: UsersCommand, root: string): Promise<never> => {
    const service = await load(root);
    const { administerUsers } = await import("#runtime/process/operate");
    return administerUsers(service, root, input);
  };
  const list = defineCommand({
    about: "Lists accounts by id.",
    flags: {
      role: { type: "string", describe: "only accounts with this role" },
      search: { type: "string", describe: "text in the e-mail address, a name or the phone number" },
      limit: { type: "number", describe: "number of accounts, from 1 to 1000; default 10" },
      json,
    },
    examples: [
      ["--role admin", "list administrators"],
      ["--search ann --json | jq '.[].user_id'", "ids of accounts"],
    ],
    exitCodes,
    read: (given): UsersCommand => ({
      command: "list",
      role: given.text("role"),
      search: given.text("search"),
      limit: given.number("limit"),
      json: given.has("json"),
    }),
    problem: (input) =>
      "limit" in input && input.limit !== null && !isLimit(input.limit)
        ? "--limit must be a whole number from 1 to 1000"
        : null,
    run,
  });
  const show = defineCommand({
    about: "Shows an account and its ways to sign in.",
    flags: { json },
    word: { name: "who", describe: who, missing: "show needs the id or e-mail address of an account" },
    examples: [["ann@example.com", "show an account"]],
    exitCodes,
    read: (given): UsersCommand => ({ command: "show", who: given.words[0] ?? "", json: given.has("json") }),
    run,
  });
  const setRole = defineCommand({
    about: "Gives an account another role. Its access tokens are revoked, so clients refresh them at once.",
    flags: {},
    word: { name: "who", describe: who, missing: "set-role needs an account and a role" },
    secondWord: { name: "role", describe: "a role that an access rule or a route names" },
    examples: [["ann@example.com staff", "make Ann a member of the staff"]],
    exitCodes,
    read: ({ words: [who = "", role = ""] }): UsersCommand => ({ command: "set-role", who, role }),
    run,
  });
  const signOut = defineCommand({
    about: "Ends all sessions of an account at once.",
    flags: { "api-keys": { type: "boolean", describe: "delete its API keys too" } },
    word: { name: "who", describe: who, missing: "sign-out needs the id or e-mail address of an account" },
    examples: [["ann@example.com --api-keys", "after a laptop was lost"]],
    exitCodes,
    read: (given): UsersCommand => ({
      command: "sign-out",
      who: given.words[0] ?? "",
      apiKeys: given.has("api-keys"),
    }),
    run,
  });
  const remove = defineCommand({
    about:
      "Deletes an account and what generated/account-deletion.txt lists. Hooks of the account run with the role system.",
    flags: { yes: { type: "boolean", describe: "confirm the deletion" } },
    word: { name: "who", describe: who, missing: "delete needs the id or e-mail address of an account" },
    examples: [["ann@example.com --yes", "delete an account"]],
    exitCodes: { ...exitCodes, 2: "unknown arguments, or --yes is missing" },
    read: (given) => ({
      command: "delete" as const,
      who: given.words[0] ?? "",
      isConfirmed: given.has("yes"),
    }),
    problem: ({ isConfirmed }) => (isConfirmed ? null : "delete needs --yes: it cannot be undone"),
    run: ({ command, who }, root) => run({ command, who }, root),
  });
  /** A command with an account and no flags. */
  const simple = (command: "activate" | "deactivate" | "reset-mfa", about: string, meaning: string) =>
    defineCommand({
      about,
      flags: {},
      word: {
        name: "who",
        describe: who,
        missing: `${command} needs the id or e-mail address of an account`,
      },
      examples: [["ann@example.com", meaning]],
      exitCodes,
      read: (given): UsersCommand => ({ command, who: given.words[0] ?? "" }),
      run,
    });
  const activate = simple("activate", "Lets an inactive account sign in again.", "activate an account");
  const deactivate = simple(
    "deactivate",
    "Ends all sessions of an account at once, and refuses new ones.",
    "lock an account",
  );
  const resetMfa = simple(
    "reset-mfa",
    "Removes the second factor and the passkeys of an account, ends its sessions, and mails its owner.",
    "after a phone was lost",
  );
  return {
    about:
      "Lists and changes accounts, with the rules of the routes below /admin/users but without ranks: docs/account-administration.md.",
    commands: {
      list: { summary: "lists accounts", command: list },
      show: { summary: "shows an account and its ways to sign in", command: show },
      "set-role": { summary: "gives an account another role", command: setRole },
      activate: { summary: "lets an inactive account sign in again", command: activate },
      deactivate: { summary: "ends all sessions and refuses new ones", command: deactivate },
      "sign-out": { summary: "ends all sessions", command: signOut },
      "reset-mfa": { summary: "removes the second factor and the passkeys", command: resetMfa },
      delete: { summary: "deletes an account", command: remove },
    },
    usual: "list",
    examples: [
      ["--role admin", "list administrators"],
      ["set-role ann@example.com staff", "give an account another role"],
    ],
    exitCodes,
  };
}

function isLimit(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 1 && limit <= 1000;
}

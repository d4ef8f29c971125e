import { loadServiceLazily } from "../app/lazy-service.ts";
import { roleNames } from "../app-folder.ts";
import { defineCommand } from "../define-command.ts";

/** `kirak explain`. */
export const command = defineCommand({
  about:
    "Explains why the service allows or refuses an operation, part by part of each rule, for a caller. It changes nothing, and runs no hook.",
  flags: {
    as: {
      type: "string",
      default: "guest",
      describe: "the caller: guest, a role, user:<id> or key:<prefix>",
    },
    id: { type: "string", describe: "explain one row" },
    where: { type: "string", describe: "explain the rows of a filter, as JSON; at most 20 are printed" },
    data: { type: "string", describe: "the record of a write, as JSON" },
    query: { type: "string", describe: "the parameters of a read, as JSON: order_by, limit, filters, …" },
    graphql: { type: "string", describe: "explain each root field of a document, in place of <operation>" },
    variables: { type: "string", describe: "the variables of the document, as JSON" },
    sql: { type: "boolean", describe: "print the statements with their bound values" },
    plan: { type: "boolean", describe: "print PostgreSQL's plans, and the indexes that would serve" },
    analyze: { type: "boolean", describe: "with --plan: run the statement and measure it; only for reads" },
    json: { type: "boolean", describe: "print one JSON document" },
  },
  word: {
    name: "operation",
    describe: "a model and an operation: tasks.update",
    missing: null,
  },
  examples: [
    ["tasks.fetch --as user", "the rules, fields, rate limit and hooks for a role"],
    ["tasks.update --as user:7 --id 12", "each part of each rule for one row"],
    [`tasks.update --as user:7 --id 12 --data '{"status":"done"}'`, "the row before and after a change"],
    [`tasks.delete --as key:kk_1a2b3c4d --where '{"status":"open"}'`, "the rows of a filter, for an API key"],
    [`tasks.fetch --as user:7 --query '{"order_by":"due_on"}' --plan`, "why a list is slow"],
  ],
  exitCodes: {
    0: "allowed",
    1: "refused or not found",
    2: "unknown model, operation or caller, bad flags, or invalid models",
    3: "the database cannot be reached, is not migrated, or does not let the write be tried",
  },
  candidates: (root) => ({ as: ["guest", ...roleNames(root)] }),
  read: (given) => ({
    subject: given.words[0] ?? null,
    as: given.value("as"),
    id: given.text("id"),
    where: given.text("where"),
    data: given.text("data"),
    query: given.text("query"),
    json: given.has("json"),
    graphql: given.text("graphql"),
    variables: given.text("variables"),
    sql: given.has("sql"),
    plan: given.has("plan"),
    analyze: given.has("analyze"),
  }),
  problem: ({ subject, graphql, variables, id, where, data, query }) => {
    if (graphql === null && variables !== null) return "--variables needs --graphql";
    if (graphql === null)
      return subject === null ? "explain needs a model and an operation, such as tasks.update" : null;
    const other = [subject, id, where, data, query].some((given) => given !== null);
    return other ? "--graphql takes no operation, --id, --where, --data or --query" : null;
  },
  async run(request, root) {
    const { runExplain } = await import("../explain/run-explain.ts");
    return runExplain(request, root, loadServiceLazily);
  },
});

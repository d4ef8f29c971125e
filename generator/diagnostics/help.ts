import { catalogue, type DiagnosticCode } from "./index.ts";

/** Why a finding matters and how to correct it, in sentences. */
export interface Help {
  readonly why: string;
  readonly fix: string;
}

const helps: Partial<Record<DiagnosticCode, Help>> = {
  "unused-lint-ignore": {
    why: "An entry that silences nothing would hide the next finding of its kind.",
    fix: "Remove the entry.",
  },
  "public-write": {
    why: "Anyone who finds the address can fill, change or empty the table.",
    fix: "Name the roles that are allowed, or tie the rows to the caller with a condition such as user_id = {user_id}.",
  },
  "permanent-delete": {
    why: "Rows that are removed by destroy, or by delete without soft_delete, cannot be restored. One stolen token, or one wrong filter, can empty a table.",
    fix: "Leave it to admin, or give the role delete on a model with soft_delete.",
  },
  "shadowed-rule": {
    why: "Rules are joined with OR. If another rule opens all rows, this condition has no effect.",
    fix: "Remove the condition, or limit the other rule to the roles that can see all rows.",
  },
  "dead-rule": {
    why: "For guests {user_id} and {email} are NULL, and nothing equals NULL: the rule opens no row.",
    fix: "Remove the rule, or compare with something else.",
  },
  "not-exists-for-guests": {
    why: "A guest has no user id, so no row refers to guests. A NOT EXISTS that excludes a user admits guests, and therefore the same user after signing out.",
    fix: 'Write "role": "signed_in" for callers with a credential, and a separate rule for guests.',
  },
  "null-for-guests": {
    why: "A guest has no row in users, so each {user.<column>} is NULL. Rows that are open to users without a value are then open to guests.",
    fix: 'Write "role": "signed_in" for callers with a credential, and a separate rule for guests.',
  },
  "exists-on-create": {
    why: "No row refers to a new one yet. EXISTS over its has_many is always false, and NOT EXISTS always true.",
    fix: "Remove it, or start the path with a belongs_to.",
  },
  "compared-with-itself": {
    why: "A field that is compared with itself is always equal, except where it is NULL. Within EXISTS a plain name is a field of the row there, not of the row that the rule is for.",
    fix: "Write this.<field> for the row that the rule is for, or remove the comparison: the path of EXISTS already joins the rows.",
  },
  "quoted-placeholder": {
    why: "Within quotes everything is text: '{user_id}' is these nine characters, also in a LIKE pattern.",
    fix: "Write the placeholder without quotes. It cannot be a part of a longer text.",
  },
  "prefer-fills": {
    why: "Without this export, typed inputs and the GraphQL schema require no field, and the hook runs for records that lack required fields.",
    fix: 'List the fields that the hook fills in: export const fills = { before_create: ["slug"] } as const. Write an empty list if there are none.',
  },
  "outer-context-after-commit": {
    why: "The callback runs after the commit, when the outer context has ended: each call on that context throws, and only the log shows it.",
    fix: "Use the context that the callback gets: afterCommit(async ({ db }) => { … }).",
  },
  "rows-of-others": {
    why: "Anyone can register, so everything that this role can write is open to everyone.",
    fix: "Tie the rows to the caller with a condition such as owner_id = {user_id}, or use roles that an administrator assigns.",
  },
  "write-wider-than-fetch": {
    why: "The role can change rows that it cannot read. A filter of the write reveals the content of these rows, one guess per request.",
    fix: "Use the condition of fetch in the write, or open fetch for these rows.",
  },
  "role-nobody-has": {
    why: "A rule for a role that no account has opens nothing, and locks out the users it was written for.",
    fix: "Give the role to accounts, or use EXISTS with a row that refers to the caller. If npm run create-admin or SQL gives the role, say so in lint_ignore.",
  },
  "similar-roles": {
    why: "A role exists because a rule names it, so a typo makes a rule for a role that no one has.",
    fix: "Spell the role as in the other rules.",
  },
  "empty-text": {
    why: "`required` refuses null and a missing field. An empty text is a value, which a form sends for a field that was left empty.",
    fix: 'Add "min_length": 1. Its migration fails while rows hold an empty text.',
  },
  "secret-readable": {
    why: "A token, key or hash in a response ends up in logs, caches and pages, and anyone who has it can use it.",
    fix: "Add a read gate to access.fields, or store it as a field of type password.",
  },
  "plain-password": {
    why: "Anyone who reads the database, a backup or an answer knows the passwords, and people use them elsewhere too.",
    fix: 'Write "type": "password": the value is hashed, and never returned.',
  },
  "check-reveals-field": {
    why: "A caller who can write one field of a check sees which values pass, and so finds the hidden field in a few attempts.",
    fix: "Close the first field for writing, or open the other one for reading.",
  },
  "personal-data-public": {
    why: "Bots collect addresses and dates of birth that can be read without signing in, and privacy law requires a reason to publish them.",
    fix: "Add a read gate to access.fields with the roles that need the field.",
  },
  "unused-condition": {
    why: "A condition that no rule calls opens nothing. A reviewer can take it for a rule that holds.",
    fix: "Remove the definition, or call it in a rule.",
  },
  "repeated-condition": {
    why: "A condition that is written in many rules must be changed in all of them. One that is forgotten keeps the former access.",
    fix: 'Define the condition once in "$conditions", and call it by its name.',
  },
  "unindexed-condition": {
    why: "Each read of that role scans the whole table, and slows down as the table grows.",
    fix: 'Add "index": true to the field, or an entry to indexes that begins with it.',
  },
  "unindexed-search": {
    why: "A search for a substring reads every row that the rules open. An ordinary index does not change that.",
    fix: "Keep the table small, or create a trigram index (docs/lint.md).",
  },
  "cookie-any-origin": {
    why: "Browsers send the cookie with every request. An origin that can read the responses acts as the signed-in user.",
    fix: "List the origins of your own pages in cors.origins.",
  },
  "weak-password-hash": {
    why: "With a low cost, an attacker who has the hashes tests more passwords a second. Each step of the cost halves the speed.",
    fix: "Set auth.bcrypt_cost to 10 or more; the default is 12.",
  },
  "trust-any-proxy": {
    why: "Anyone can send forwarding headers. If every sender is trusted, callers can choose their address and avoid rate limits.",
    fix: "Name the addresses of your own proxies in rate_limit.trusted_proxy_ips.",
  },
  "rate-limit-without-effect": {
    why: "The limit looks active, but applies to no route.",
    fix: "Remove it.",
  },
  "rate-limits-off": {
    why: "Login, one-time codes and second factors rely on rate limits against guessing; without limits, mails and text messages can also flood their recipients.",
    fix: "Remove rate_limit.enabled, or say in lint_ignore what limits requests instead, such as a gateway.",
  },
  "storage-scope": {
    why: "With the default, every signed-in user can read, replace and delete every file. If registration is open, that is everyone.",
    fix: 'Write "scope": "user" in the section storage, or "shared" if that is intended.',
  },
  "account-deletion-refused": {
    why: "auth.self_service has delete, but users whose rows refer to their account by this relation cannot delete it.",
    fix: 'Set on_delete to "cascade" or "set_null", or say in lint_ignore why such accounts must stay, such as invoices that the law requires.',
  },
  "route-not-run": {
    why: "The file has a schema that is not a literal, such as one of zod. The generator runs the file to learn its JSON Schema, and the result depends on it.",
    fix: "Install what the file imports, and let it run without variables or connections: open those in the handler.",
  },
  "schema-unknown": {
    why: "The OpenAPI document, the client and the tools of MCP then take any value there. The service checks it as the schema says.",
    fix: "Use a schema whose library gives a JSON Schema for it (zod 4, arktype, or valibot with toStandardJsonSchema), or write a JSON Schema.",
  },
  "mcp-off": {
    why: "The definition looks as if assistants could call it, but the service has no endpoint for them.",
    fix: 'Add "mcp" to modules of the manifest, or remove the key.',
  },
  "mcp-closed": {
    why: "No role can call the tool, so no assistant sees it.",
    fix: "Add a rule to access, or remove the operation from mcp.",
  },
  "mcp-description": {
    why: "A model chooses a tool and its arguments by the descriptions. Without them it guesses from the names.",
    fix: "Describe the model, the field or the route in a sentence.",
  },
  "mcp-many-tools": {
    why: "Each tool costs tokens in every conversation, and a model chooses the wrong tool more often if there are many. Some hosts refuse more than 40.",
    fix: "Expose fewer operations, or join several in one custom route.",
  },
};

/** Why a code matters and how to correct it. Codes without a text use their summary. */
export function helpOf(code: DiagnosticCode): Help {
  const { summary, severity } = catalogue[code];
  const fix =
    severity === "error"
      ? "Correct it: nothing is generated until then."
      : "Correct the cause that the message names.";
  return helps[code] ?? { why: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, fix };
}

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
    why: "Whoever finds the address can fill, change or empty the table.",
    fix: "Name the roles that may, or tie the rows to the caller with a condition such as user_id = {user_id}.",
  },
  "permanent-delete": {
    why: "What destroy removes, or delete without soft_delete, is gone for good: one stolen token, or one wrong filter, empties a table.",
    fix: "Leave it to admin, or give the role delete on a model with soft_delete.",
  },
  "shadowed-rule": {
    why: "Rules are joined with OR. Beside a rule that opens all rows the condition closes nothing, though it reads as if it did.",
    fix: "Remove the condition, or name the roles that shall see all rows in the other rule.",
  },
  "dead-rule": {
    why: "For guests {user_id} and {email} are NULL, and nothing equals NULL: the rule opens no row.",
    fix: "Remove the rule, or compare with something else.",
  },
  "not-exists-for-guests": {
    why: "A guest has no user id, so that no row names him: what keeps somebody out by NOT EXISTS lets guests in, and him too once he has signed out.",
    fix: 'Write "role": "signed_in" for those who have a credential, and a rule of its own for guests.',
  },
  "null-for-guests": {
    why: "A guest has no row in users, so that each {user.<column>} is NULL for him: what is open to those who have no value is open to guests.",
    fix: 'Write "role": "signed_in" for those who have a credential, and a rule of its own for guests.',
  },
  "exists-on-create": {
    why: "No row refers to a new one yet. EXISTS over its has_many never holds, and NOT EXISTS always does.",
    fix: "Remove it, or begin the path at a belongs_to.",
  },
  "compared-with-itself": {
    why: "A field that is compared with itself is equal wherever it is not NULL. Within EXISTS a plain name is a field of the row there, not of the row whose rule it is.",
    fix: "Write this.<field> for the row whose rule it is, or remove the comparison: the path of EXISTS joins the rows already.",
  },
  "quoted-placeholder": {
    why: "Within quotes all is text: '{user_id}' is these nine characters, in a pattern of LIKE too.",
    fix: "Write the placeholder without quotes. It stands alone: nothing is put together with it.",
  },
  "prefer-fills": {
    why: "Without the line callers are not told what they must send: typed inputs and the GraphQL schema ask for nothing, and a hook runs for records that lack what it needs.",
    fix: 'Export what the hook fills in: export const fills = { before_create: ["slug"] } as const; an empty list where it fills in nothing.',
  },
  "outer-context-after-commit": {
    why: "The work begins after the commit, when the context around it has ended: each call of that context throws, and only the log tells.",
    fix: "Use the context that the work gets: afterCommit(async ({ db }) => { … }).",
  },
  "rows-of-others": {
    why: "Anybody can register. What the role of whoever did may write is open to everybody who takes that step.",
    fix: "Tie the rows to the caller with a condition such as owner_id = {user_id}, or name roles that are given.",
  },
  "write-wider-than-fetch": {
    why: "The role can change rows that it cannot read. A filter of the write tells what these rows hold, one guess a request.",
    fix: "Demand in the write what fetch demands, or open fetch for these rows.",
  },
  "role-nobody-has": {
    why: "A rule for a role that no account has opens nothing, and closes out those for whom it was written.",
    fix: "Give the role to accounts, or ask for a row that names the caller with EXISTS. Where npm run create-admin or SQL gives it, say so in lint_ignore.",
  },
  "similar-roles": {
    why: "A role exists because a rule names it, so that a typing error is a rule that nobody meets.",
    fix: "Write the role as it stands elsewhere.",
  },
  "empty-text": {
    why: "`required` refuses null and a missing field. An empty text is a value, which a form sends for a field that was left empty.",
    fix: 'Add "min_length": 1. Its migration fails while rows hold an empty text.',
  },
  "secret-readable": {
    why: "A token, key or hash that is answered ends in logs, caches and pages, and whoever has it can use it.",
    fix: "Add a read gate to access.fields, or store it as a field of type password.",
  },
  "plain-password": {
    why: "Whoever reads the database, a backup or an answer knows the passwords, and people use them elsewhere too.",
    fix: 'Write "type": "password": the value is hashed, and never answered.',
  },
  "check-reveals-field": {
    why: "Whoever writes one field of a check sees which values pass beside another one, and so finds it in a few tries.",
    fix: "Close the one for writing, or open the other for reading.",
  },
  "personal-data-public": {
    why: "Addresses and dates of birth that need no sign-in are collected by robots; the law asks why they are public.",
    fix: "Add a read gate to access.fields with the roles that need the field.",
  },
  "unindexed-condition": {
    why: "Each read of that role goes through the whole table, and slows down as it grows.",
    fix: 'Add "index": true to the field, or an entry to indexes that begins with it.',
  },
  "unindexed-search": {
    why: "A search for a substring reads every row that the rules open. An index in the usual form does not change that.",
    fix: "Keep the table small, or make a trigram index by hand (docs/lint.md).",
  },
  "cookie-any-origin": {
    why: "A cookie goes along by itself. An origin that may read the answers acts as the person who is signed in.",
    fix: "List the origins of your own pages in cors.origins.",
  },
  "weak-password-hash": {
    why: "Whoever gets the hashes tries passwords faster: each step of the cost halves their speed.",
    fix: "Set auth.bcrypt_cost to 10 or more; the default is 12.",
  },
  "trust-any-proxy": {
    why: "Forwarding headers are text that anybody sends. Believed from everywhere, they hide who calls, and limits miss.",
    fix: "Name the addresses of your own proxies in rate_limit.trusted_proxy_ips.",
  },
  "rate-limit-without-effect": {
    why: "Whoever reads it believes in a limit that holds for no route.",
    fix: "Remove it.",
  },
  "rate-limits-off": {
    why: "Login, one-time codes and second factors are guarded against guessing by their limits, and so are the people whom mails and text messages reach.",
    fix: "Remove rate_limit.enabled, or say in lint_ignore what limits instead, such as a gateway.",
  },
  "storage-scope": {
    why: "With the default whoever is signed in reads, replaces and deletes every file, and where strangers may register that is anybody.",
    fix: 'Write "scope": "user" in the section storage, or "shared" where that is meant.',
  },
};

/** Help for a code; errors and warnings explain themselves where they stand. */
export function helpOf(code: DiagnosticCode): Help {
  const { summary, severity } = catalogue[code];
  const fix =
    severity === "error" ? "Correct it: nothing is generated before." : "Correct what the message says.";
  return helps[code] ?? { why: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, fix };
}

import { accountFeatures, isServed } from "../../../vocabulary/account-features.ts";
import { userFields } from "../../../vocabulary/accounts/user-fields.ts";
import { userRoutes } from "../../../vocabulary/built-in-routes.ts";
import {
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { type AccountFacts, idParameter, recentCaller } from "./account-facts/index.ts";
import { plainText, rowId, session } from "./account-schemas.ts";
import { accountOperations } from "./accounts.ts";
import { errorsOf, httpErrors, joinErrors } from "./error-responses.ts";
import { filterMaker, valueSchema } from "./field-schemas.ts";
import { list, type OperationMaker, successResponse } from "./operation.ts";
import { administeredColumns } from "./owner-columns.ts";
import { pathsOfTable, type RouteGroup } from "./route-group.ts";
import { answer, queryParameter, whole } from "./shared-components.ts";

type UserRoute = (typeof userRoutes)[number];

const { password: _, credentials_changed_at: __, ...shown } = userFields;
const moment = { kind: "datetime" } as const;
/** The columns of an account that administrators see, without the id. */
const columns = Object.entries({ ...shown, created_at: moment, updated_at: moment });

const user: Part = {
  user_id: rowId,
  ...Object.fromEntries(columns.map(([name, column]) => [name, valueSchema({ ...column }, "answer")])),
};

const signIn: Part = answer({
  password: { type: "boolean" },
  mfa: { type: "boolean" },
  passkeys: whole,
  providers: list(plainText),
  api_keys: whole,
  sessions: whole,
});

const filters = [
  { name: "user_id", kind: "bigint" as const, enum: null },
  ...columns.map(([name, { kind }]) => ({ name, kind, enum: null })),
];

const schemasOf = filterMaker();

export const userSchemaNames = [
  ...["AdministeredUser", "AdministeredUserPart", "AdministeredUserDetails"],
  ...["AdministeredUserFilter", "AdministeredUserField"],
] as const;

/** Schemas of the answers of routes that manage accounts. A column of the app can be missing: its readers see it. */
function userSchemas(
  definition: ServiceDefinition,
): Readonly<Record<(typeof userSchemaNames)[number], DocumentSchema>> {
  const added = administeredColumns(definition);
  const names = added.map(({ name }) => name);
  const properties = {
    ...user,
    ...Object.fromEntries(added.map((column) => [column.name, valueSchema(column, "answer")])),
  };
  const filtered = [...filters, ...added];
  return {
    AdministeredUser: answer(properties, names),
    AdministeredUserPart: { type: "object", properties, additionalProperties: false },
    AdministeredUserDetails: answer({ ...properties, sign_in: signIn }, names),
    AdministeredUserFilter: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(
        filtered.flatMap(({ name, kind, enum: allowed }) =>
          schemasOf({ kind, dbType: null, enum: allowed }).map(([operator, schema]) => [
            operator === "eq" ? name : `${name}__${operator}`,
            schema,
          ]),
        ),
      ),
    },
    AdministeredUserField: { enum: filtered.map(({ name }) => name) },
  };
}

const field = reference("schemas", "AdministeredUserField");
const details = reference("schemas", "AdministeredUserDetails");

const listParameters: readonly Part[] = [
  queryParameter("search_term", "Text in the e-mail address, a name or the phone number.", {
    type: "string",
    minLength: 1,
    maxLength: 256,
  }),
  {
    name: "where",
    in: "query",
    style: "form",
    explode: true,
    schema: reference("schemas", "AdministeredUserFilter"),
  },
  ...["limit", "page", "offset", "page__after", "page__before", "page__total"].map((name) =>
    reference("parameters", name),
  ),
  { name: "order_by", in: "query", schema: field },
  reference("parameters", "order"),
  { name: "select_fields", in: "query", style: "form", explode: false, schema: list(field) },
];

function done(description: string, data: Part, more: Part = {}): Entries<Part> {
  return { 200: successResponse(description, data, more) };
}

const invitation: Part = {
  invitation_sent: { type: "boolean" },
  invitation_link: { type: "string", format: "uri" },
};

/** Errors of a write to an account. */
const writes = joinErrors(recentCaller, errorsOf("PERMISSION_DENIED"));
const ofId: Pick<AccountFacts, "parameters"> = { parameters: [idParameter] };
const reading = { caller: "administrators with API keys" } as const;
const writing = { caller: "administrators" } as const;

const facts: Readonly<Record<UserRoute["name"], AccountFacts>> = {
  listUsers: {
    ...reading,
    operationId: "usersList",
    summary: "List accounts",
    parameters: listParameters,
    success: done(
      "The accounts; `pagination` with `page`, `offset` or a cursor.",
      list(reference("schemas", "AdministeredUserPart")),
      { pagination: reference("schemas", "Pagination") },
    ),
    errors: {},
  },
  createUser: {
    ...writing,
    operationId: "usersCreate",
    summary: "Create an account and invite its owner",
    description: "The answer has the link of the invitation if no mail has it.",
    success: done(
      "The account.",
      answer({ user: reference("schemas", "AdministeredUser"), ...invitation }, ["invitation_link"]),
    ),
    errors: joinErrors(writes, errorsOf("EMAIL_ALREADY_EXISTS")),
    hooks: true,
  },
  getUser: {
    ...reading,
    ...ofId,
    operationId: "usersGet",
    summary: "Get an account and its ways to sign in",
    success: done("The account.", details),
    errors: errorsOf("NOT_FOUND"),
  },
  updateUser: {
    ...writing,
    ...ofId,
    operationId: "usersUpdate",
    summary: "Change an account",
    description:
      "Another role revokes access tokens. A deactivation or another e-mail address ends all sessions at once.",
    success: done("The account.", details),
    errors: joinErrors(writes, errorsOf("EMAIL_ALREADY_EXISTS", "LAST_ADMINISTRATOR")),
    hooks: true,
  },
  deleteUser: {
    ...writing,
    ...ofId,
    operationId: "usersDelete",
    summary: "Delete an account",
    description:
      "Rows that refer to the account are removed, emptied or kept as `generated/account-deletion.txt` says.",
    success: done("The id of the account.", answer({ user_id: rowId })),
    errors: joinErrors(writes, errorsOf("ACCOUNT_IN_USE", "LAST_ADMINISTRATOR")),
    hooks: true,
  },
  listUserSessions: {
    ...reading,
    ...ofId,
    operationId: "usersListSessions",
    summary: "List the sessions of an account",
    success: done("The sessions, the last used one first.", answer({ sessions: list(session) })),
    errors: errorsOf("NOT_FOUND"),
  },
  inviteUser: {
    ...writing,
    ...ofId,
    operationId: "usersInvite",
    summary: "Invite the owner of an account again",
    description: "It voids the older link. The answer has the link if no mail has it.",
    success: done("Whether a mail was sent.", answer(invitation, ["invitation_link"])),
    errors: joinErrors(writes, errorsOf("VALIDATION_ERROR"), httpErrors(503)),
  },
  signOutUser: {
    ...writing,
    ...ofId,
    operationId: "usersSignOut",
    summary: "End all sessions of an account",
    description: "It can also delete the API keys.",
    success: done(
      "The numbers of ended sessions and deleted keys.",
      answer({ ended_sessions: whole, deleted_api_keys: whole }),
    ),
    errors: writes,
  },
  resetUserMfa: {
    ...writing,
    ...ofId,
    operationId: "usersResetMfa",
    summary: "Remove the second factor and the passkeys of an account",
    description: "It also ends all sessions.",
    success: done("What was removed.", answer({ mfa: { type: "boolean" }, passkeys: whole })),
    errors: writes,
  },
};

/** The routes by which administrators manage accounts. */
export function userGroup(definition: ServiceDefinition, make: OperationMaker): RouteGroup {
  const tag = "users";
  const operationOf = accountOperations(definition, make, tag);
  const features = accountFeatures(definition);
  const rows = userRoutes.filter((row) => isServed(row, features));
  return {
    tag,
    description: "Accounts of all users, for administrators.",
    paths: pathsOfTable(rows, "", (row: UserRoute) => operationOf(row, facts[row.name])),
    schemas: userSchemas(definition),
  };
}

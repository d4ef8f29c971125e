import { isGroupRole } from "../../../vocabulary/accounts/role-names.ts";
import type { DocumentSchema, Entries, Part } from "../../../vocabulary/openapi/document.ts";
import type {
  FieldAccessDefinition,
  FieldDefinition,
  ModelDefinition,
  ServiceDefinition,
} from "../../definition/definition.ts";
import { GeneratorBug } from "../../diagnostics/stop.ts";
import { addedToUsers } from "../views/users-extension.ts";
import { ownUser } from "./account-schemas.ts";
import { declared, valueSchema } from "./field-schemas.ts";

/** The built-in model of a service. */
export function usersIn({ models }: Pick<ServiceDefinition, "models">): ModelDefinition {
  const users = models.find(({ builtIn }) => builtIn);
  if (users === undefined) throw new GeneratorBug("the built-in model is missing");
  return users;
}

/** The schemas of the columns of the app that the owner of an account writes, in bodies. */
export function ownerColumns(users: ModelDefinition): Entries<Part> {
  return Object.fromEntries(
    columnsOf(users)
      .filter(({ access }) => access.owner?.writes)
      .map(({ field }) => [
        field.name,
        {
          ...valueSchema(field, "input"),
          ...declared({ description: field.description }),
          ...(field.kind === "password" && { writeOnly: true }),
        },
      ]),
  );
}

/** The user of `GET /auth/account`. A column that only some roles read is optional. */
export function ownUserSchema(users: ModelDefinition): DocumentSchema {
  const shown = columnsOf(users).filter(
    ({ field: { kind }, access: { read, owner } }) =>
      kind !== "password" && (owner?.reads === true || read?.length !== 0),
  );
  const optional = shown.filter(({ access }) => !isAlwaysShown(access)).map(({ field }) => field.name);
  const properties = shown.map(({ field }) => [
    field.name,
    { ...valueSchema(field, "answer"), ...declared({ description: field.description }) },
  ]);
  return ownUser(Object.fromEntries(properties), optional);
}

function isAlwaysShown({ read, owner }: FieldAccessDefinition): boolean {
  return owner?.reads === true || read?.some((role) => isGroupRole(role)) !== false;
}

interface AddedColumn {
  readonly field: FieldDefinition;
  readonly access: FieldAccessDefinition;
}

function columnsOf(users: ModelDefinition): AddedColumn[] {
  return addedToUsers(users).fields.map((field) => ({
    field,
    access: users.access.fields.find((entry) => entry.field === field.name) ?? {
      field: field.name,
      read: [],
      write: null,
    },
  }));
}

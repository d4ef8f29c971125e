import { isJsonObject } from "../../../../vocabulary/json.ts";
import { pageParameters, searchParameters } from "../../../../vocabulary/operations.ts";
import { type Problem, refuseProblems } from "../../../core/errors/index.ts";
import { readQueryString, type SuccessResponse } from "../../../core/http/index.ts";
import {
  type Caller,
  type CrudServices,
  crud,
  guard,
  listItems,
  operationContext,
  readFilters,
  readListInput,
} from "../../../data/operations/index.ts";
import { fieldsUsed } from "../../../models/access/index.ts";
import type { Accounts } from "../registration/registrations.ts";
import { administeredUsers } from "./administered-users.ts";

/** The name of the column `id` in the API of accounts. */
const idName = "user_id";

export interface UserReads {
  readonly crud: CrudServices;
  readonly accounts: Accounts;
}

/** A row of an account. */
export type AdministeredUser = Readonly<Record<string, unknown>>;

interface UserPage extends Pick<SuccessResponse, "pagination"> {
  readonly users: readonly AdministeredUser[];
}

/**
 * Lists accounts by the query string of a request, as the fetch of a model does. Errors: 400
 * `VALIDATION_ERROR`; `PERMISSION_DENIED` if the caller is not an administrator.
 */
export async function listUsers(services: UserReads, caller: Caller, query: string): Promise<UserPage> {
  const problems: Problem[] = [];
  const parameters = readQueryString(query, problems, { mayBeEmpty: /__is_(?:not_)?null\]?$/ });
  return readUsers(services, caller, parameters, problems);
}

/** Returns the row of an account; null if it does not exist. `id` must be valid. */
export async function readUser(
  services: UserReads,
  caller: Caller,
  id: string,
): Promise<AdministeredUser | null> {
  const { users } = await readUsers(services, caller, new Map([[idName, id]]), []);
  return users[0] ?? null;
}

async function readUsers(
  services: UserReads,
  caller: Caller,
  parameters: ReadonlyMap<string, string>,
  problems: Problem[],
): Promise<UserPage> {
  const entry = administeredUsers(services.accounts);
  const { model, policy } = entry;
  const grant = guard(policy.search).authorize(caller.principal);
  const call = operationContext(services.crud, entry, caller);
  const found: Problem[] = [];
  const { filters: sent, others } = inward(parameters, problems);
  const filters = readFilters(model, sent, found);
  const input = readListInput(model, filters, others, found);
  const unreadable = fieldsUsed(input).read.filter((name) => call.view.unreadable.has(name));
  const closed = unreadable.map((field) => ({ field, message: "is not a field that your role reads" }));
  refuseProblems([...problems, ...found.map(outward), ...closed]);
  const { data, pagination } = await crud.search.run(call, grant, input);
  const users = rowsIn(data).map(({ id, ...row }) => (id === undefined ? row : { [idName]: id, ...row }));
  return { users, ...(pagination !== undefined && { pagination }) };
}

/** Splits the parameters into filters and others, with the name of the id in the model. */
function inward(parameters: ReadonlyMap<string, string>, problems: Problem[]) {
  const filters = new Map<string, string>();
  const others = new Map<string, unknown>();
  const column = (field: string, name: string): string => {
    if (name === "id") problems.push({ field, message: `is not a field: the id is ${idName}` });
    return name === idName ? "id" : name;
  };
  for (const [parameter, value] of parameters) {
    if (parameter === "order_by") others.set(parameter, column(parameter, value));
    else if (parameter === "select_fields")
      others.set(
        parameter,
        listItems(value)?.map((name) => (typeof name === "string" ? column(parameter, name) : name)) ?? value,
      );
    else if (searchParameters.has(parameter) || pageParameters.has(parameter)) others.set(parameter, value);
    else {
      const name = /^where\[(.+)\]$/s.exec(parameter)?.[1] ?? parameter;
      const [field = "", ...operator] = name.split(/(?=__)/);
      const key = column(parameter, field) + operator.join("");
      if (filters.has(key)) problems.push({ field: parameter, message: "is used more than once" });
      filters.set(key, value);
    }
  }
  return { filters, others };
}

/** A problem with the name that the caller sent. */
function outward({ field, message }: Problem): Problem {
  return { field: field.replace(/^id(?=$|__)/, idName), message };
}

function rowsIn(data: string): Record<string, unknown>[] {
  const rows: unknown = JSON.parse(data);
  return Array.isArray(rows) ? rows.filter(isJsonObject) : [];
}

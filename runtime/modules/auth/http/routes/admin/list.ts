import type { SuccessResponse } from "../../../../../core/http/index.ts";
import { listUsers } from "../../../administration/list-users.ts";
import type { ReadCall } from "./read-route.ts";

/** `GET /admin/users`: accounts by filters, search term and page. Errors: `VALIDATION_ERROR`. */
export async function getUsers({ services, caller, query }: ReadCall): Promise<SuccessResponse> {
  const { users, ...page } = await listUsers(services, caller, query);
  return { message: "users", data: JSON.stringify(users), ...page };
}

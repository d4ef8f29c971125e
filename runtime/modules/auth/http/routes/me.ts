import { ServiceError } from "../../../../core/errors/index.ts";
import { currentUser, findUser, noSuchCaller } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `GET /auth/me` and `POST /auth/get-current-user`: the caller's current row. Errors: `NOT_FOUND` if it was
 * deleted, `USER_DATA_ERROR` if it cannot be read.
 */
export async function me(_: unknown, { services, caller }: AccountRequest): Promise<AuthAnswer> {
  const user = await findUser(services.database, caller.sub).catch((cause: unknown) => {
    throw new ServiceError("USER_DATA_ERROR", undefined, undefined, { cause });
  });
  if (user === null) throw noSuchCaller();
  return { message: "the signed-in user", data: currentUser(user) };
}

import { fixedPaths, userRoutes as rows } from "../../../../../../vocabulary/built-in-routes.ts";
import { type AccountRoute, json, type ServeRoute } from "../../account-route.ts";
import { administrators } from "../../guards.ts";
import { postUser } from "./create.ts";
import { deleteUser } from "./delete.ts";
import { inviteUser } from "./invite.ts";
import { getUsers } from "./list.ts";
import { deleteUserMfa } from "./mfa.ts";
import { administratorReads } from "./read-route.ts";
import { getUser, getUserSessions } from "./show.ts";
import { postSignOut } from "./sign-out.ts";
import { patchUser } from "./update.ts";

/** The handler of each row, by the name of the row. */
const handlers: Readonly<Record<(typeof rows)[number]["name"], ServeRoute>> = {
  listUsers: administratorReads(getUsers),
  createUser: json(administrators, "createUser", postUser),
  getUser: administratorReads(getUser),
  updateUser: json(administrators, "updateUser", patchUser),
  deleteUser: json(administrators, "deleteUser", deleteUser),
  listUserSessions: administratorReads(getUserSessions),
  inviteUser: json(administrators, "inviteUser", inviteUser),
  signOutUser: json(administrators, "signOutUser", postSignOut),
  resetUserMfa: json(administrators, "resetUserMfa", deleteUserMfa),
};

/** The routes of accounts below `/admin`: docs/account-administration.md. */
export const administrationRoutes: readonly AccountRoute[] = rows.map((row) => ({
  ...row,
  path: row.path.slice(fixedPaths.admin.length),
  serve: handlers[row.name],
}));

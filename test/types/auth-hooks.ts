/** What `models/hooks/auth.ts` compiles. */

import type { UsersAuthHooks as BuiltInHooks, BuiltInUsersCreate } from "#runtime/data/users/index";
import { type AuthHooks, defineAuthHooks } from "#runtime/hooks/index";

interface UsersCreate extends BuiltInUsersCreate {
  plan?: "free" | "team";
}

type UsersAuthHooks = AuthHooks<UsersCreate>;

const before_register: UsersAuthHooks["before_register"] = (registration, { transaction }) => {
  // @ts-expect-error an account made by a one-time code has no e-mail
  registration.email.trim();
  registration.plan = "team";
  // @ts-expect-error values of the app's own columns are checked
  registration.plan = "gold";
  // @ts-expect-error a registration has the role `user`
  registration.role = "admin";
  // @ts-expect-error whether an account is active is for the service to say
  registration.is_active = true;
  transaction.raw("select 1");
};

const after_register: UsersAuthHooks["after_register"] = (result) => {
  // @ts-expect-error tokens are there where the address needs no verification
  result.data.accessToken.trim();
  result.message = "Welcome";
};

const after_login: UsersAuthHooks["after_login"] = async (result) => ({
  ...result,
  data: { ...result.data, accessToken: result.data.accessToken.trim() },
});

export const hooks = defineAuthHooks<UsersAuthHooks>()({ before_register, after_register, after_login });

// @ts-expect-error there is no such hook
export const unknownHook = defineAuthHooks<UsersAuthHooks>()({ after_logn: after_login });
// @ts-expect-error the hook of another event
export const swapped = defineAuthHooks<UsersAuthHooks>()({ after_login: before_register });

const knowsNoPlan: BuiltInHooks["before_register"] = (registration) => {
  // @ts-expect-error the app's own columns are those of its own type
  registration.plan = "team";
  return { ...registration, first_name: "Ada" };
};
/** Hooks that know the built-in columns go on compiling once an app adds one. */
export const built = defineAuthHooks<UsersAuthHooks>()({ before_register: knowsNoPlan });

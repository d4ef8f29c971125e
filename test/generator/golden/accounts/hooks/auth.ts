import type { UsersAuthHooks } from "../../generated/models/users/model.ts";

export const before_register: UsersAuthHooks["before_register"] = (registration) => {
  registration.nickname ??= registration.email?.split("@")[0] ?? null;
};

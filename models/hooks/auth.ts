import type { UsersAuthHooks } from "kirak/users";

/** Makes a customer for each new account, in the same transaction. */
export const after_register: UsersAuthHooks["after_register"] = async ({ data: { user } }, { db }) => {
  // An account with only a phone number has no e-mail. Its user calls POST /customers/create.
  if (user.email === null) return;
  const name = [user.first_name, user.last_name].filter((part) => part).join(" ") || user.email;
  // Names of accounts can be longer than names of customers.
  await db.customers.create({ user_id: user.user_id, name: name.slice(0, 120), email: user.email });
};

import type { UsersAuthHooks } from "kirak/users";

/** Whoever registers is a customer from then on, or neither: both rows are written in one transaction. */
export const after_register: UsersAuthHooks["after_register"] = async ({ data: { user } }, { db }) => {
  // An account made by phone has no address to write to; its owner makes the entry with POST /customers/create.
  if (user.email === null) return;
  const name = [user.first_name, user.last_name].filter((part) => part).join(" ") || user.email;
  // Names of accounts may be longer than those of customers.
  await db.customers.create({ user_id: user.user_id, name: name.slice(0, 120), email: user.email });
};

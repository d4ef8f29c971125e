/** `kirak/users`: the accounts as a model, and the app's additions. */
export {
  type BuiltInUsersCreate,
  type BuiltInUsersRow,
  type BuiltInUsersTypes,
  builtInUsers,
  defineUsersPolicy,
  extendUsers,
  extendUsersValidators,
  type UsersAuthHooks,
  type UsersPolicy,
} from "../data/users/index.ts";

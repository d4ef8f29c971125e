import type { UserFieldName } from "../../vocabulary/accounts/user-fields.ts";
import type { AnyTypes } from "../models/index.ts";
import type { MutationContext } from "./context/index.ts";
import { type Hook, namedHooks, type OnlyHooks } from "./model-hooks.ts";

type MutationHook<Value> = Hook<Value, MutationContext>;

/**
 * A registration before its validation. By e-mail, it has `email` and `password`. By one-time code, it has
 * `phone_number`, and the other two are null. By social sign-in, it has the provider's `email`, if any, and
 * no password. A hook can fill in the app's columns of `users`. The role is always `user`.
 */
export type Registration<UsersCreate extends object> = {
  email: string | null;
  password: string | null;
  phone_number: string | null;
  first_name?: string | null;
  last_name?: string | null;
} & Partial<Omit<UsersCreate, UserFieldName | "id">>;

/** The user in the response of a login. */
export interface LoginUser {
  user_id: number;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
  role: string;
  is_verified: boolean;
  created_at: string;
  last_login_at: string | null;
}

/** The user in the response of a one-time code. */
export interface OtpUser extends Omit<LoginUser, "is_verified"> {
  is_active: boolean;
}

/** The user in the response of a social sign-in. */
export interface SocialUser {
  user_id: number;
  email: string | null;
  role: string;
}

/** The user in the response of `/auth/me` and `/auth/get-current-user`. */
export interface CurrentUser extends Omit<LoginUser, "phone_number"> {
  is_active: boolean;
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
}

/** A successful response, which a hook can change or replace. */
export interface ResultEnvelope<Data> {
  statusCode: number;
  status: "success";
  message: string;
  data: Data;
}

/** With tokens if `auth.email_verification_required` is off. */
export type RegistrationResult = ResultEnvelope<
  | ({ user: LoginUser; verification_email_sent: boolean } & Partial<TokenPair>)
  | ({ user: LoginUser | OtpUser } & TokenPair)
>;

export type LoginResult = ResultEnvelope<{ user: LoginUser | OtpUser } & TokenPair>;

/**
 * The result of a social sign-in, without tokens if the browser is redirected to a page, which redeems
 * another token. `platform` is missing if a mobile app did not send it.
 */
export type SocialResult = ResultEnvelope<
  { user: SocialUser; flow: "login" | "signup"; platform?: "web" | "ios" | "android" } & Partial<TokenPair>
>;

/** A change of an account. `changes` has the new values of the fields. */
export interface AccountUpdate {
  user_id: number;
  changes: Record<string, unknown>;
}

/** An account that is about to be deleted. */
export interface AccountDeletion {
  user_id: number;
  user: CurrentUser & { phone_number: string | null };
}

/** The context of `after_social_callback`. */
export interface SocialContext extends MutationContext {
  /** As sent by the client; it is not stored. */
  readonly device_token: string | null;
}

/**
 * The exports of `models/hooks/auth.ts`. They run in the transaction of the operation. `UsersCreate` is a new
 * row of `users`, with the app's columns.
 */
export interface AuthHooks<UsersCreate extends object> {
  /** Before the INSERT, by e-mail, one-time code or social sign-in. */
  before_register?: MutationHook<Registration<UsersCreate>>;
  /** After the INSERT, inside the transaction: an error undoes the registration. */
  after_register?: MutationHook<RegistrationResult>;
  /** After the tokens are signed, so their claims cannot change. */
  after_login?: MutationHook<LoginResult>;
  /** After every callback and mobile sign-in: an error becomes the response and undoes the sign-in. */
  after_social_callback?: Hook<SocialResult, SocialContext>;
  /** When a change takes effect: an error refuses it. A confirmed e-mail address cannot be replaced. */
  before_update_account?: MutationHook<AccountUpdate>;
  /** After the UPDATE, inside the transaction: an error undoes the change. */
  after_update_account?: MutationHook<AccountUpdate>;
  /** Before the account and its rows are deleted: an error refuses it. */
  before_delete_account?: MutationHook<AccountDeletion>;
  /** After the DELETE, inside the transaction: an error undoes it. */
  after_delete_account?: MutationHook<Pick<AccountDeletion, "user_id">>;
}

export type AnyAuthHooks = AuthHooks<AnyTypes["create"]>;

/** Checks the exports of `models/hooks/auth.ts`. */
export function defineAuthHooks<Known extends object>() {
  return <Exports extends OnlyHooks<Known, Exports>>(exports: Exports): AnyAuthHooks => {
    return namedHooks(exports);
  };
}

/** The value of `before_graphql`: a request before its text is parsed. */
export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
}

/** The value of `after_graphql`: a response without errors, keyed by root field. */
export interface GraphqlResult extends ResultEnvelope<Record<string, unknown>> {
  statusCode: 200;
}

/** The exports of `models/hooks/graphql.ts`. They run outside any transaction. */
export interface GraphqlHooks {
  before_graphql?: Hook<GraphqlRequest>;
  /** Runs after all root fields. For a mutation, it runs after the commit, so an error does not undo it. */
  after_graphql?: Hook<GraphqlResult>;
}

/** Checks the exports of `models/hooks/graphql.ts`. */
export function defineGraphqlHooks<Exports extends OnlyHooks<GraphqlHooks, Exports>>(
  exports: Exports,
): GraphqlHooks {
  return namedHooks(exports);
}

import type { UserFieldName } from "../../vocabulary/accounts/user-fields.ts";
import type { AnyTypes } from "../models/index.ts";
import { namedHooks, type OnlyHooks } from "./any-hooks.ts";
import type { MutationContext } from "./context/index.ts";
import type { Hook } from "./model-hooks.ts";

type MutationHook<Value> = Hook<Value, MutationContext>;

/**
 * A registration, before it is checked. By e-mail it has `email` and `password`; by a one-time code `phone_number`, and
 * the other two are null; by social sign-in the provider's `email`, if there is one, and no password. The app's own columns of `users` may be filled in; the role is always `user`.
 */
export type Registration<UsersCreate extends object> = {
  email: string | null;
  password: string | null;
  phone_number: string | null;
  first_name?: string | null;
  last_name?: string | null;
} & Partial<Omit<UsersCreate, UserFieldName | "id">>;

/** The user of a login's answer (contract: "User"). */
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

/** The user of a one-time code's answer (contract: "User"). */
export interface OtpUser extends Omit<LoginUser, "is_verified"> {
  is_active: boolean;
}

/** The user of a social sign-in's answer (contract: "Auth: social"). */
export interface SocialUser {
  user_id: number;
  email: string | null;
  role: string;
}

/** The user of `/auth/me` and `/auth/get-current-user` (contract: "User"). */
export interface CurrentUser extends Omit<LoginUser, "phone_number"> {
  is_active: boolean;
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** Life of the access token in seconds. */
  expiresIn: number;
}

/** A success as it will be answered; a hook may change or replace it. */
export interface ResultEnvelope<Data> {
  statusCode: number;
  status: "success";
  message: string;
  data: Data;
}

/** With `auth.email_verification_required` off, the tokens are there too. */
export type RegistrationResult = ResultEnvelope<
  | ({ user: LoginUser; verification_email_sent: boolean } & Partial<TokenPair>)
  | ({ user: OtpUser } & TokenPair)
>;

export type LoginResult = ResultEnvelope<{ user: LoginUser | OtpUser } & TokenPair>;

/**
 * A social sign-in. The tokens are there unless the browser is sent on to a page, which redeems a token of its own for
 * them; `platform` is missing where a mobile app sent none.
 */
export type SocialResult = ResultEnvelope<
  { user: SocialUser; flow: "login" | "signup"; platform?: "web" | "ios" | "android" } & Partial<TokenPair>
>;

/** What `after_social_callback` is told beside its value. */
export interface SocialContext extends MutationContext {
  /** As the login, or the mobile app, sent it; it is stored nowhere. */
  readonly device_token: string | null;
}

/**
 * The functions that `models/hooks/auth.ts` may export (contract: "Events"). They run in the transaction of the operation.
 * `UsersCreate` is what a new row of `users` may hold, the app's own columns among it.
 */
export interface AuthHooks<UsersCreate extends object> {
  /** Before the INSERT, by e-mail, by one-time code or by social sign-in. */
  before_register?: MutationHook<Registration<UsersCreate>>;
  /** After the INSERT, before the transaction ends: a throw undoes the registration. */
  after_register?: MutationHook<RegistrationResult>;
  /** After the tokens are signed: their claims stay as they are. */
  after_login?: MutationHook<LoginResult>;
  /** After every callback and mobile sign-in: a throw is the answer, and nothing of the sign-in stays. */
  after_social_callback?: Hook<SocialResult, SocialContext>;
}

export type AnyAuthHooks = AuthHooks<AnyTypes["create"]>;

/** Takes the exports of `models/hooks/auth.ts`. */
export function defineAuthHooks<Known extends object>() {
  return <Exports extends OnlyHooks<Known, Exports>>(exports: Exports): AnyAuthHooks => {
    return namedHooks(exports);
  };
}

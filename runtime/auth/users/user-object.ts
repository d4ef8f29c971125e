import type { Principal } from "../../access/index.ts";
import type { CurrentUser, LoginUser, OtpUser, SocialUser } from "../../hooks/index.ts";
import type { UserRow } from "./users-table.ts";

/** The user of a login or registration (contract: "User"). */
export function loginUser(user: UserRow): LoginUser {
  return {
    user_id: Number(user.id),
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    phone_number: user.phoneNumber,
    role: user.role,
    is_verified: user.isVerified,
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
  };
}

/** The user of `/auth/me` and `/auth/get-current-user`. */
export function currentUser(user: UserRow): CurrentUser {
  return {
    user_id: Number(user.id),
    email: user.email,
    role: user.role,
    first_name: user.firstName,
    last_name: user.lastName,
    is_verified: user.isVerified,
    is_active: user.isActive,
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
  };
}

/** The user of a one-time code's answer. */
export function otpUser(user: UserRow): OtpUser {
  return {
    user_id: Number(user.id),
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    phone_number: user.phoneNumber,
    role: user.role,
    is_active: user.isActive,
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
  };
}

/** The user of a social sign-in's answer. */
export function socialUser({ id, email, role }: UserRow): SocialUser {
  return { user_id: Number(id), email, role };
}

/** The user as hooks see the caller. */
export function asPrincipal({ id, role, email }: UserRow): Principal {
  return { user_id: id, role, email: email ?? "" };
}

/** All error codes of the service, with status and default message. */
export const errorCodes = {
  VALIDATION_ERROR: { status: 400, message: "The request is not valid." },
  AUTHENTICATION_ERROR: { status: 401, message: "A credential is required." },
  PERMISSION_DENIED: { status: 403, message: "Your role may not do this." },
  NOT_FOUND: { status: 404, message: "There is nothing here." },
  RATE_LIMIT_EXCEEDED: { status: 429, message: "Too many requests." },
  DATABASE_ERROR: { status: 500, message: "The database could not do this." },
  INTERNAL_ERROR: { status: 500, message: "Something went wrong on our side." },
  HTTP_ERROR: { status: 400, message: "The request cannot be served." },
  MISSING_TOKEN: { status: 401, message: "This route needs an access token." },
  INVALID_TOKEN: { status: 401, message: "The token is not valid." },
  TOKEN_EXPIRED: { status: 401, message: "The token has expired." },
  TOKEN_REVOKED: { status: 401, message: "The token was revoked." },
  AUTH_UNAVAILABLE: { status: 503, message: "Credentials cannot be checked right now." },
  INVALID_API_KEY: { status: 401, message: "The API key is not valid." },
  INVALID_CREDENTIALS: { status: 401, message: "E-mail or password is wrong." },
  INVALID_OTP: { status: 401, message: "The code is wrong or has expired." },
  INVALID_MFA_CODE: { status: 401, message: "The code is wrong." },
  SOCIAL_AUTH_FAILED: { status: 401, message: "The sign-in did not complete." },
  MOBILE_SIGN_IN_NOT_SUPPORTED: { status: 400, message: "This provider has no mobile sign-in." },
  SOCIAL_EMAIL_NOT_VERIFIED: {
    status: 409,
    message: "An account with this e-mail exists, and the provider did not confirm the e-mail.",
  },
  MFA_REQUIRED: { status: 403, message: "Repeat the login with mfa_code." },
  ACCOUNT_INACTIVE: { status: 403, message: "The account is deactivated." },
  EMAIL_NOT_VERIFIED: { status: 403, message: "The e-mail must be verified first." },
  WEAK_PASSWORD: { status: 400, message: "The password does not meet the rules." },
  INVALID_RESET_TOKEN: { status: 400, message: "The link is not valid, has expired, or was used." },
  EMAIL_ALREADY_EXISTS: { status: 409, message: "An account with this e-mail exists." },
  REAUTHENTICATION_REQUIRED: { status: 403, message: "Sign in again, and repeat this with the new session." },
  LAST_SIGN_IN_METHOD: { status: 409, message: "The account would have no way to sign in." },
  LAST_ADMINISTRATOR: { status: 409, message: "The service would have no active administrator." },
  ACCOUNT_IN_USE: { status: 409, message: "Rows refer to this account and forbid its deletion." },
  PHONE_ALREADY_EXISTS: { status: 409, message: "Another account has this phone number." },
  PROVIDER_ALREADY_LINKED: {
    status: 409,
    message: "This account of the provider belongs to another user.",
  },
  PASSKEY_FAILED: { status: 401, message: "The passkey was not accepted." },
  INVALID_LINK: { status: 400, message: "The link is not valid, has expired, or was used." },
  USER_DATA_ERROR: { status: 500, message: "The user's record could not be read." },
  STORAGE_ERROR: { status: 500, message: "The storage provider failed." },
} as const satisfies Record<string, { status: number; message: string }>;

/** A built-in error code. */
export type BuiltInErrorCode = keyof typeof errorCodes;

/** Custom errors by code, as declared in `models/errors.json`. */
export type DeclaredErrors = Readonly<
  Record<string, { readonly status: number; readonly description: string }>
>;

/** The pattern of error codes that an app can declare. Built-in codes are excluded. */
export const declarableCode = /^[A-Z][A-Z0-9_]{2,62}$/;

/** Whether an error code is built in. */
export function isBuiltInErrorCode(code: string): code is BuiltInErrorCode {
  return Object.hasOwn(errorCodes, code);
}

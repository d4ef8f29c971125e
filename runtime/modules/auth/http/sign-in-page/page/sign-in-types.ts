/** A successful response of a route. */
export interface Success<Data> {
  readonly ok: true;
  readonly message: string;
  readonly data: Data;
}

/** An error of a route, or of the network. The message is for users. */
export interface RefusedAnswer {
  readonly ok: false;
  readonly message: string;
  readonly error: string | null;
  /** The field of the body that the error is about. */
  readonly field: string | null;
  readonly details: ErrorDetails;
}

interface ErrorDetails {
  readonly field?: string;
  /** Of `MFA_REQUIRED`: how a passkey can replace the code. */
  readonly passkey_options?: PublicKeyCredentialRequestOptionsJSON;
}

export type Answer<Data> = Success<Data> | RefusedAnswer;

/** What a form sends, by field. */
export type FormValues = Readonly<Record<string, string>>;

export interface TokensOfTab {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** How the page begins a sign-in at a provider that needs more than a button. */
interface Beginning {
  /** A parameter that the user has to enter; null if a page of the app begins the sign-in. */
  readonly parameter: string | null;
}

/** The JSON Schema of a column, as far as the page reads it. */
export interface ColumnSchema {
  readonly type?: string | readonly string[];
}

/** What the service tells the page. */
export interface Settings {
  /** The parts of accounts that are on. */
  readonly features: readonly string[];
  /** Whether users make their own accounts. */
  readonly registration: boolean;
  /** The columns of the app that the owner of an account writes. */
  readonly columns: Readonly<Record<string, ColumnSchema>>;
  readonly beginnings: Readonly<Record<string, Beginning>>;
  /** The messages of error codes. */
  readonly messages: Readonly<Record<string, string>>;
}

export interface ListedProvider {
  readonly provider: string;
  readonly title: string;
  readonly login_url: string;
}

export interface ListedLink {
  readonly provider: string;
  readonly title: string;
  readonly email: string | null;
}

export interface Passkey {
  readonly id: string | number;
  readonly name: string;
  readonly last_used_at: string | null;
}

export interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly last_used_at: string;
  readonly signed_in_with: readonly string[];
  readonly user_agent: string | null;
  readonly address: string | null;
}

export interface Account {
  readonly user: {
    readonly user_id: number;
    readonly email: string | null;
    readonly role: string;
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly phone_number: string | null;
    readonly is_verified: boolean;
    /** A column of the app. */
    readonly [column: string]: unknown;
  };
  readonly sign_in: {
    readonly password: boolean;
    readonly phone: boolean;
    readonly email_code: boolean;
    readonly mfa: boolean;
    readonly passkeys: number;
    readonly providers: readonly string[];
  };
  readonly pending: {
    readonly email: { readonly new_email: string } | null;
    readonly phone: { readonly phone_number: string } | null;
  };
  readonly recent_until: string | null;
}

/** What the page shows of an account. */
export interface Shown {
  readonly account: Account;
  readonly sessions: readonly Session[];
  readonly passkeys: readonly Passkey[];
  readonly linked: readonly ListedLink[];
}

/** A hook of the app can remove tokens. */
type SignedIn = Partial<TokensOfTab>;

/** The `data` of the routes that the page reads data of. */
export interface Answers {
  readonly account: Account;
  readonly login: SignedIn;
  readonly "passkeys/login": SignedIn;
  readonly "refresh-token": SignedIn;
  readonly "verify-email-code": SignedIn;
  readonly "verify-otp": SignedIn;
  readonly "verify-web-auth": SignedIn;
  readonly register: SignedIn & { readonly verification_email_sent: boolean };
  readonly passkeys: { readonly passkeys: readonly Passkey[] };
  readonly "passkeys/login-options": { readonly options: PublicKeyCredentialRequestOptionsJSON };
  readonly "passkeys/register-options": { readonly options: PublicKeyCredentialCreationOptionsJSON };
  readonly providers: readonly ListedProvider[];
  readonly "providers/linked": { readonly providers: readonly ListedLink[] };
  readonly sessions: { readonly sessions: readonly Session[] };
  readonly "setup-mfa": { readonly provisioning_uri: string; readonly backup_codes: readonly string[] };
}

/** The routes that sign a user in. */
export type SignInPath = "login" | "verify-otp" | "verify-email-code";

/** The answer of a link to a provider has the address to go to. */
export type DataOf<Path extends string> = Path extends keyof Answers
  ? Answers[Path]
  : Path extends `providers/${string}/link`
    ? { readonly authorization_url?: string }
    : unknown;

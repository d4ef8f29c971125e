import type { SocialProvider } from "../../../../../vocabulary/social/provider.ts";
import type { Answers } from "../conversation/paths.ts";
import type { Provider } from "../declared-provider.ts";
import type { Outbound } from "../outbound.ts";
import type { DerivedSecrets } from "../state/sign-in-state.ts";

/** The HTTP client and the clock of protocols. */
export interface ProtocolContext {
  readonly outbound: Outbound;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The start of a sign-in. */
export interface Login<Row extends SocialProvider = SocialProvider> {
  readonly provider: Provider<Row>;
  readonly state: string;
  readonly secrets: DerivedSecrets;
  /** The query of the login route. */
  readonly query: URLSearchParams;
}

/** The redirect to the provider. */
export interface AuthorizationRequest {
  readonly location: URL;
  /** Data for the callback, encrypted in a cookie. */
  readonly secret?: string;
}

/** The request with which the browser returns from the provider. */
export interface ProviderCallback<Row extends SocialProvider = SocialProvider> {
  readonly provider: Provider<Row>;
  readonly state: string;
  readonly secrets: DerivedSecrets;
  /** The parameters of the request, from its query or form. */
  readonly form: ReadonlyMap<string, string>;
  /** The cookies that the browser sent. */
  readonly cookies: ReadonlyMap<string, string>;
  readonly secret: string | null;
}

/**
 * A sign-in protocol. Errors: `SocialFailure` if the provider refuses or its data cannot be verified; 400
 * `VALIDATION_ERROR` for missing or invalid parameters.
 */
export interface Protocol<Row extends SocialProvider = SocialProvider> {
  /** Null: a page of the app begins the sign-in, and only needs a state. */
  readonly begin: ((login: Login<Row>) => Promise<AuthorizationRequest>) | null;
  /** Returns the verified data about the user. */
  readonly finish: (callback: ProviderCallback<Row>) => Promise<Answers>;
}

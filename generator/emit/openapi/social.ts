import { accountFeatures } from "../../../vocabulary/account-features.ts";
import { accountRoutes, isSocialPath } from "../../../vocabulary/built-in-routes.ts";
import {
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import type { SocialProvider } from "../../../vocabulary/social/provider.ts";
import { providerRow } from "../../../vocabulary/social/providers.ts";
import {
  callbackMethods,
  codeChallengePattern,
  flows,
  longestDeviceToken,
  platforms,
  startsOnPage,
} from "../../../vocabulary/social/sign-in-options.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import type { AccountFacts, FactsOf, SocialRow } from "./account-facts/index.ts";
import { madeLink, plainText, userSchema, withTokens } from "./account-schemas.ts";
import { accountOperations } from "./accounts.ts";
import { errorsOf, joinErrors, responseHeaders } from "./error-responses.ts";
import { type OperationMaker, successResponse } from "./operation.ts";
import { pathsOfTable, type RouteGroup } from "./route-group.ts";
import { answer, queryParameter } from "./shared-components.ts";

/** A declared provider. */
interface Declared {
  readonly name: string;
  readonly row: SocialProvider;
}

/** The routes of social sign-in. */
export function socialGroup(definition: ServiceDefinition, make: OperationMaker): RouteGroup {
  const tag = "social";
  const declared = definition.socialProviders.flatMap((name): Declared[] => {
    const row = providerRow(name);
    return row === undefined ? [] : [{ name, row }];
  });
  const facts = factsOf(declared, accountFeatures(definition).has("linking"));
  const operationOf = accountOperations(definition, make, tag);
  const rows = accountRoutes.filter((row): row is SocialRow => isSocialPath(row.path));
  const paths = pathsOfTable(rows, definition.authPrefix, (row) => {
    const served = declared.filter(isServed[row.name]);
    if (served.length === 0) return null;
    const { parameters = [], ...rest } = facts[row.name];
    const provider = row.path.includes("{provider}") ? [providerParameter(served)] : [];
    return operationOf(row, { ...rest, parameters: [...provider, ...parameters] });
  });
  return { tag, description: "Sign-in with accounts of other providers.", paths, schemas: socialSchemas };
}

/** The providers of each route. With others it answers 404 or 405. */
const isServed: Readonly<Record<SocialRow["name"], (declared: Declared) => boolean>> = {
  socialLogin: () => true,
  socialCallback: (declared) => callbackMethods(declared).includes("GET"),
  socialFormCallback: (declared) => callbackMethods(declared).includes("POST"),
  appleCallback: ({ name }) => name === "apple-id",
  socialMobile: () => true,
};

function providerParameter(declared: readonly Declared[]): Part {
  const schema = { type: "string", enum: declared.map(({ name }) => name) };
  return { name: "provider", in: "path", required: true, schema };
}

/** Schemas of the answers of social sign-in. */
export const socialSchemas = {
  SocialUser: userSchema("email", "role"),
} satisfies Entries<DocumentSchema>;

const session = withTokens(
  { user: reference("schemas", "SocialUser"), flow: { enum: flows }, platform: { enum: platforms } },
  ["platform"],
);
const newSession = successResponse("A new session.", session);

function redirect(description: string): Part {
  const location = { description: "The address.", schema: { type: "string", format: "uri" } };
  return { description, headers: { ...responseHeaders, Location: location } };
}

/** Errors of a sign-in whose provider has answered. */
const signInErrors = errorsOf(
  "PERMISSION_DENIED",
  "SOCIAL_AUTH_FAILED",
  "ACCOUNT_INACTIVE",
  "SOCIAL_EMAIL_NOT_VERIFIED",
  "EMAIL_ALREADY_EXISTS",
);

/** What a provider sends. Each has its own parameters. */
const sentByProvider: Part = { type: "object", additionalProperties: plainText };

function factsOf(declared: readonly Declared[], hasLinking: boolean): FactsOf<SocialRow> {
  const linked = successResponse("A new session, or the link.", { anyOf: [session, madeLink] });
  const linkErrors = errorsOf("PROVIDER_ALREADY_LINKED", "TOKEN_REVOKED", "NOT_FOUND");
  const callback: AccountFacts = {
    summary: "End a sign-in at a provider",
    description: "The provider sends the browser here.",
    caller: "everyone",
    success: {
      200: hasLinking ? linked : newSession,
      303: redirect("To the page of the app that began the sign-in."),
    },
    errors: hasLinking ? joinErrors(signInErrors, linkErrors) : signInErrors,
    hooks: true,
  };
  const formCallback: AccountFacts = {
    ...callback,
    summary: "End a sign-in at a provider that sends a form",
    body: { byType: { "application/x-www-form-urlencoded": sentByProvider }, optional: true },
    parameters: [queryParameter("state", "The state, if the form has none.", plainText)],
  };
  return {
    socialLogin: {
      summary: "Begin a sign-in at a provider",
      description: "Browsers open it. If a page of the app begins the sign-in, the answer has the state.",
      caller: "everyone",
      parameters: [...loginParameters, ...ownParameters(declared)],
      success: {
        ...(declared.some(startsOnPage) && {
          200: successResponse("The state for the page.", answer({ state: plainText })),
        }),
        ...(!declared.every(startsOnPage) && { 302: redirect("To the provider.") }),
      },
      errors: errorsOf("SOCIAL_AUTH_FAILED"),
    },
    socialCallback: {
      ...callback,
      parameters: [
        {
          name: "answer",
          in: "query",
          description: "The parameters of the provider, such as `code` and `state`.",
          style: "form",
          explode: true,
          schema: sentByProvider,
        },
      ],
    },
    socialFormCallback: formCallback,
    appleCallback: { ...formCallback, summary: "End a sign-in at Apple" },
    socialMobile: {
      summary: "Sign in with a token that a mobile app got from the provider",
      caller: "everyone",
      success: { 200: newSession },
      errors: {
        ...signInErrors,
        ...errorsOf("MOBILE_SIGN_IN_NOT_SUPPORTED"),
      },
      hooks: true,
    },
  };
}

const loginParameters: readonly Part[] = [
  queryParameter("platform", "Where the sign-in runs.", { enum: platforms, default: "web" }),
  queryParameter("flow", "The callback repeats it.", { enum: flows, default: "login" }),
  queryParameter("device_token", "For hooks of the app.", { type: "string", maxLength: longestDeviceToken }),
  queryParameter("redirect_to", "The page that gets a token: one of `auth.social_redirect_urls`.", plainText),
  queryParameter("code_challenge", "Binds the token to the page: a SHA-256 in base64url.", {
    type: "string",
    pattern: codeChallengePattern,
  }),
];

/** Parameters that some providers need. */
function ownParameters(declared: readonly Declared[]): Part[] {
  const names = new Set(declared.flatMap(({ row }) => row.loginParameter ?? []));
  return [...names].map((name) => {
    const needing = declared.filter(({ row }) => row.loginParameter === name);
    return queryParameter(name, `For ${needing.map((each) => each.name).join(", ")}.`, plainText);
  });
}

import { type AccountFeature, accountFeatures, isServed } from "../../../vocabulary/account-features.ts";
import { accountBodies } from "../../../vocabulary/accounts/account-bodies.ts";
import { type BodyKeys, servedBody } from "../../../vocabulary/accounts/body-keys.ts";
import { administratorRoles, everyRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import {
  type AccountCounter,
  accountRoutes,
  isSocialPath,
  signInPath,
  type userRoutes,
} from "../../../vocabulary/built-in-routes.ts";
import type { DocumentedOperation, Part } from "../../../vocabulary/openapi/document.ts";
import type { Limit } from "../../../vocabulary/rate-limits.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import {
  type AccountCaller,
  type AccountFacts,
  type AccountRow,
  accountFacts,
} from "./account-facts/index.ts";
import { accountSchemas, cookieSchemas } from "./account-schemas.ts";
import {
  credentialErrors,
  type ErrorsByStatus,
  errorsOf,
  joinErrors,
  sessionErrors,
} from "./error-responses.ts";
import { type Authentication, type OperationFacts, type OperationMaker, object } from "./operation.ts";
import { columnsInBodies, ownUserSchema } from "./owner-columns.ts";
import { pathsOfTable, type RouteGroup } from "./route-group.ts";

type AccountRouteRow = (typeof accountRoutes | typeof userRoutes)[number];

interface Callers {
  readonly credentials: Authentication;
  readonly roles: readonly string[];
  readonly errors: ErrorsByStatus;
}

const callers: Readonly<Record<AccountCaller, Callers>> = {
  everyone: { credentials: "none", roles: [everyRole], errors: {} },
  visitor: { credentials: "optional session", roles: [everyRole], errors: {} },
  "signed in": { credentials: "session", roles: [signedInRole], errors: sessionErrors },
  administrators: {
    credentials: "session",
    roles: [...administratorRoles].sort(),
    errors: joinErrors(sessionErrors, errorsOf("PERMISSION_DENIED")),
  },
  "administrators with API keys": {
    credentials: "required",
    roles: [...administratorRoles].sort(),
    errors: joinErrors(credentialErrors, errorsOf("MISSING_TOKEN", "PERMISSION_DENIED")),
  },
};

/** The routes of accounts that each service has, except the page for developers. */
export function accountGroup(definition: ServiceDefinition, make: OperationMaker): RouteGroup {
  const tag = "accounts";
  const operationOf = accountOperations(definition, make, tag);
  const features = accountFeatures(definition);
  const rows = accountRoutes.filter(
    (row): row is AccountRow => isServed(row, features) && !isSocialPath(row.path) && row.path !== signInPath,
  );
  return {
    tag,
    description: "Registration, sign-in, passwords, second factors and API keys.",
    paths: pathsOfTable(rows, definition.authPrefix, (row) => operationOf(row, accountFacts[row.name])),
    schemas: {
      ...(definition.refreshCookieName === null ? accountSchemas : cookieSchemas),
      OwnUser: ownUserSchema(definition),
    },
  };
}

/** Makes the operations of account routes. */
export function accountOperations(
  definition: ServiceDefinition,
  make: OperationMaker,
  tag: string,
): (row: AccountRouteRow, facts: AccountFacts) => DocumentedOperation {
  const { cookieName, models, rateLimits } = definition;
  const features = accountFeatures(definition);
  const columns = columnsInBodies(definition);
  const hasHooks = models.some(({ builtIn, hooks }) => builtIn && hooks !== null);
  return ({ name, method, counters }, facts) => {
    const { credentials, roles, errors } = callers[facts.caller];
    const { operationId = `auth${name.charAt(0).toUpperCase()}${name.slice(1)}`, errorPages } = facts;
    // A page of a foreign origin cannot write with the cookie.
    const body = bodyFor(name, features);
    const takesRefreshCookie = isRefreshCookieFor(body, features);
    const isByCookie =
      takesRefreshCookie || (cookieName !== null && credentials !== "none" && method !== "GET");
    const app = hasHooks && facts.hooks === true;
    const operation = make({
      operationId,
      tag,
      summary: facts.summary,
      description: facts.description,
      credentials,
      parameters: facts.parameters ?? [],
      ...(facts.body === undefined ? documentedBody(body, features, columns) : { body: facts.body }),
      success: app ? (facts.hookedSuccess ?? facts.success) : facts.success,
      errors: joinErrors(
        facts.errors,
        errors,
        // A URL that cannot be decoded.
        errorPages === undefined ? errorsOf("VALIDATION_ERROR") : {},
        isByCookie ? errorsOf("PERMISSION_DENIED") : {},
        takesRefreshCookie ? errorsOf("INVALID_TOKEN") : {},
        body !== null && "passkey" in body.keys ? errorsOf("PASSKEY_FAILED") : {},
      ),
      app,
      access: roles.map((role) => ({ role })),
      limit: limitOf(counters, rateLimits.default),
    });
    if (takesRefreshCookie) return withRefreshCookie(operation);
    return errorPages === undefined ? operation : withPages(operation, errorPages);
  };
}

/** The operation with pages instead of errors in JSON, for those statuses that it has. */
function withPages(
  operation: DocumentedOperation,
  pages: NonNullable<AccountFacts["errorPages"]>,
): DocumentedOperation {
  const { responses } = operation;
  const shown = Object.entries(pages).filter(([status]) => status !== "429" || "429" in responses);
  return { ...operation, responses: { ...responses, ...Object.fromEntries(shown) } };
}

function limitOf(counters: readonly AccountCounter[], limit: Limit): OperationFacts["limit"] {
  const [first, ...others] = counters;
  if (first === undefined) return null;
  return { ...limit, per: others.length === 0 ? first : counters };
}

type Features = ReadonlySet<AccountFeature>;
type Columns = ReturnType<typeof columnsInBodies>;

/** The body of a route in this service; null for a route without a body. */
function bodyFor(name: AccountRouteRow["name"], features: Features): BodyKeys | null {
  const bodies: Readonly<Partial<Record<AccountRouteRow["name"], BodyKeys>>> = accountBodies;
  const body = bodies[name];
  return body === undefined ? null : servedBody(body, features);
}

/** Whether the refresh cookie can replace a key of the body. */
function isRefreshCookieFor(body: BodyKeys | null, features: Features): boolean {
  return Object.values(body?.keys ?? {}).some((key) => isReplaced(key, features));
}

function isReplaced({ orRefreshCookie }: BodyKeys["keys"][string], features: Features): boolean {
  return orRefreshCookie === true && features.has("refreshCookie");
}

/** The operation, also with the cookie as its only credential. */
function withRefreshCookie(operation: DocumentedOperation): DocumentedOperation {
  const others = operation.security.length === 0 ? [{}] : operation.security;
  return { ...operation, security: [...others, { refreshCookie: [] }] };
}

function documentedBody(
  body: BodyKeys | null,
  features: Features,
  columns: Columns,
): Pick<OperationFacts, "body"> {
  if (body === null) return {};
  const keys = Object.fromEntries(
    Object.entries(body.keys).map(([name, key]) => [
      name,
      isReplaced(key, features) ? { ...key, required: false } : key,
    ]),
  );
  const optional =
    body.needsOne !== true &&
    body.needsSome !== true &&
    Object.values(keys).every(({ required }) => !required);
  return { body: { byType: { "application/json": schemaOf({ ...body, keys }, columns) }, optional } };
}

/** The schema of a body. */
function schemaOf(
  { keys, ignoresOthers, needsOne, needsSome, takesColumns }: BodyKeys,
  columns: Columns,
): Part {
  const schemas = Object.entries(keys).map(
    ([name, { schema, documented = schema }]) => [name, documented] as const,
  );
  if (needsOne) return { anyOf: schemas.map(([name, schema]) => object({ [name]: schema })) };
  const optional = Object.keys(keys).filter((name) => keys[name]?.required === false);
  const added = takesColumns === undefined ? {} : columns[takesColumns];
  const properties = { ...added, ...Object.fromEntries(schemas) };
  const closed = object(properties, [...Object.keys(added), ...optional]);
  if (needsSome) return { ...closed, minProperties: 1 };
  return ignoresOthers ? { ...closed, additionalProperties: true } : closed;
}

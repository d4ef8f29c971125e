import type { RequestHandler } from "express";
import { canBeUnder, segmentsOf } from "../../vocabulary/custom-routes.ts";
import { defaultDocsPath, openApiPath } from "../../vocabulary/openapi/document-paths.ts";
import type { Config } from "../core/config/index.ts";
import { documentRoute, graphiqlPage, referencePage } from "../modules/docs/index.ts";
import type { CallerReaders } from "./caller.ts";
import type { Service } from "./service.ts";

/** The paths of the OpenAPI document and its pages. Null: the service does not serve it. */
interface DocsPaths {
  readonly document: string | null;
  readonly reference: string | null;
  readonly graphiql: string | null;
}

/** Paths of the app come first: Kirak does not serve its documentation there (docs/openapi.md#paths-of-the-app). */
export function docsPaths(service: Service, { docs, production, servicePrefix }: Config): DocsPaths {
  const { models, routes, folder } = service;
  const ofApp = [...models.map(({ model }) => `/${model.slug}`), ...routes.map(({ path }) => path)].map(
    (path) => `${servicePrefix}${path}`,
  );
  // The app can have paths below the one that its manifest chose.
  const chosen = docs.path === defaultDocsPath ? null : docs.path;
  const isFree = (own: string) =>
    !ofApp.some((path) => isUnder(own, path) || (own !== chosen && isUnder(path, own)));
  const isOn = docs.enabled && folder !== null;
  const document = isOn && isFree(openApiPath) ? openApiPath : null;
  const page = isOn && isFree(docs.path) ? docs.path : null;
  return {
    document,
    // The page shows Kirak's document, and sends credentials to it: never to a route of the app.
    reference: document === null ? null : page,
    graphiql: page === null || production ? null : `${page}/graphql`,
  };
}

function isUnder(path: string, other: string): boolean {
  return canBeUnder(segmentsOf(path), segmentsOf(other));
}

/** The handlers of the documentation that is on. */
export function servedDocs(
  service: Service,
  config: Config,
  callerOf: CallerReaders["callerOf"],
): RequestHandler[] {
  const { document, reference, graphiql } = docsPaths(service, config);
  const { folder } = service;
  const { scope } = config.docs;
  const endpoint = `${config.servicePrefix}/graphql`;
  if (folder === null) return [];
  return [
    ...(document === null ? [] : [documentRoute({ folder, prefixes: config, scope, callerOf })]),
    ...(reference === null ? [] : [referencePage(reference, config.name, scope)]),
    ...(graphiql === null ? [] : [graphiqlPage(graphiql, config.name, endpoint, folder)]),
  ];
}

import { fixedPaths, signInPath } from "../../vocabulary/built-in-routes.ts";
import type { Config } from "../core/config/index.ts";
import type { ShownPlace, ShownService } from "./overview/index.ts";
import type { Service } from "./service.ts";

/** What the page at `/` shows of a service. */
export function overviewOf({ models, routes }: Service, config: Config): ShownService {
  const { name, baseUrl, servicePrefix, authPrefix } = config;
  return {
    ...{ name, baseUrl, servicePrefix, models, routes },
    signInPath: `${authPrefix}${signInPath}`,
    places: placesIn(config),
  };
}

function placesIn({ servicePrefix, authPrefix, storage, monitoring }: Config): ShownPlace[] {
  const page = (path: string, what: string) => ({ path, what, isPage: true });
  const endpoint = (path: string, what: string) => ({ path, what, isPage: false });
  return [
    endpoint(`${servicePrefix}/graphql`, "GraphQL by POST; generated/graphql/schema.graphql is the schema"),
    ...(storage === null
      ? []
      : [endpoint(`/${storage.slug}`, "files: upload, list, url and delete below it")]),
    ...(monitoring === null
      ? []
      : [
          page(`${fixedPaths.monitoring}/dashboard`, "what the service does; asks for the key of monitoring"),
        ]),
    page(`${authPrefix}/providers`, "the ways to sign in"),
    page(`${authPrefix}/forgot-password`, "the page that resets a password"),
    page(fixedPaths.health, "whether the process is up"),
    page(fixedPaths.ready, "whether its database answers"),
  ];
}

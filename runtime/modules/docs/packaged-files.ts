/** The folder of the files below, next to this module, in the package. */
export const packagedFolder = "packages";

/**
 * Files of npm packages that pages load: packages and paths, by name. The build copies them into the package, so that an app does
 * not install these npm packages.
 */
export const packagedFiles = {
  "swagger-ui.css": ["swagger-ui-dist", "swagger-ui.css"],
  "swagger-ui-bundle.js": ["swagger-ui-dist", "swagger-ui-bundle.js"],
  "graphiql.css": ["graphiql", "graphiql.min.css"],
  "graphiql.js": ["graphiql", "graphiql.min.js"],
  "react.js": ["react", "umd/react.production.min.js"],
  "react-dom.js": ["react-dom", "umd/react-dom.production.min.js"],
} as const satisfies Readonly<Record<string, readonly [packageName: string, path: string]>>;

/** Properties of generated clients that are not models. A model of such a name is in `client.models` only. */
export const clientNames: readonly string[] = [
  ...["auth", "storage", "graphql", "routes", "rateLimits", "users", "models", "session"],
  // Otherwise `await client` would call the model.
  "then",
];

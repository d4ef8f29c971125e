/** How somebody calls this program in this shell. */
export function programIn({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): string {
  return script === "npx" ? "npx kirak" : "kirak";
}

/** How somebody calls a command: through a script of package.json, or by its name. */
export function invocationOf(name: string, environment: NodeJS.ProcessEnv): string {
  if (environment["npm_lifecycle_event"] === name) return `npm run ${name} --`;
  return `${programIn(environment)} ${name}`;
}

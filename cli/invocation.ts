/** How somebody calls a command in this shell: through a script of package.json, or by its name. */
export function invocationOf(name: string, { npm_lifecycle_event: script }: NodeJS.ProcessEnv): string {
  if (script === name) return `npm run ${name} --`;
  return script === "npx" ? `npx kirak ${name}` : `kirak ${name}`;
}

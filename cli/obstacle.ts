import type { Row } from "./command-table.ts";

/** What keeps a command that was understood from running, and what to do about it. */
export interface Obstacle {
  readonly misuse: string;
  readonly fix: string;
}

/** No app where `folder` is, or a package that the command cannot do without; null where it can run. */
export async function obstacleTo(
  { name, needs }: Row,
  root: string | null,
  folder: string,
): Promise<Obstacle | null> {
  if (root === null) return noApp(folder);
  if (needs === undefined) return null;
  const { missingPackages } = await import("./development-packages.ts");
  const missing = missingPackages(name, needs, root);
  return missing === null ? null : { misuse: missing.message, fix: missing.fix };
}

function noApp(folder: string): Obstacle {
  return {
    misuse: `there is no app in ${folder}, nor above it: no models/models.json, and no models/manifest.json`,
    fix: "`npx kirak init my-app` makes one",
  };
}

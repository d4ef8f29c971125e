import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownPackage } from "../own-package.ts";

type Versions = Readonly<Record<string, string>>;

/** What this package says of itself, and of the tools that apps are developed with. */
export interface OwnToolchain {
  readonly version: string;
  readonly engines: Versions;
  readonly devDependencies: Versions;
  /** Which packages may run scripts while npm installs them. */
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** What stands in the `package.json` of this package: nothing of it is written twice. */
export function ownToolchain(): OwnToolchain {
  const { folder, version } = ownPackage();
  const stated: Partial<OwnToolchain> = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { engines = {}, devDependencies = {}, allowScripts = {} } = stated;
  return { version, engines, devDependencies, allowScripts };
}

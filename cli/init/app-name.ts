import { basename } from "node:path";

/** The longest name that a manifest may have. */
const longest = 100;

/** Names that npm gives to no package, and the one that would be its own dependency. */
const taken = new Set(["kirak", "node_modules", "favicon.ico"]);

/**
 * The name of an app, for its package and its manifest: that of its folder, as npm allows it. What npm does not allow in it becomes a `-`,
 * accents go.
 */
export function appName(folder: string): string | { readonly problem: string } {
  const given = basename(folder);
  const name = given
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-._]+|[-._]+$/g, "");
  if (name === "")
    return {
      problem: `the app is called after its folder, and no name can be made of ${JSON.stringify(given)}`,
    };
  if (taken.has(name))
    return { problem: `an app cannot be called ${JSON.stringify(name)}: choose another folder` };
  if (name.length > longest) return { problem: `the name of the folder has more than ${longest} characters` };
  return name;
}

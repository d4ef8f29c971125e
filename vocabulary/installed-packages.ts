/** What the storage module needs: `sharp` makes thumbnails. */
export const storagePackages = ["sharp"];

/** Null if `resolve`, that of an app, finds all packages; else the command that installs the others. */
export function missingPackages(
  what: string,
  packages: readonly string[],
  resolve: (name: string) => unknown,
): string | null {
  const missing = packages.filter((name) => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  });
  return missing.length === 0 ? null : `${what} needs packages: npm install ${missing.join(" ")}`;
}

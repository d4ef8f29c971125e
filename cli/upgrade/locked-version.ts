import { isVersion, lowestOf } from "./release-version.ts";

/** The name of this package, as apps have it in their package.json. */
export const packageName = "kirak";

/** What tells which version an app had, what says it exactly first. */
export const versionFiles = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "package.json",
] as const;

/** The version that such a file says; null where it says none. Of a range that is the lowest which it allows. */
export function lockedVersion(file: (typeof versionFiles)[number], text: string): string | null {
  const version = file.endsWith(".json") ? versionInJson(file, text) : versionInLines(text);
  return version !== undefined && isVersion(version) ? version : null;
}

function versionInJson(file: string, text: string): string | undefined {
  const data = fields(parsed(text));
  if (file !== "package.json") {
    const { version } = fields(inTree(fields(data["packages"])) ?? fields(data["dependencies"])[packageName]);
    return typeof version === "string" ? version : undefined;
  }
  // The package itself is an app too, the book shop.
  if (data["name"] === packageName) return String(data["version"]);
  const ranges = ["dependencies", "devDependencies", "optionalDependencies"].map(
    (kind) => fields(data[kind])[packageName],
  );
  const range = ranges.find((one) => typeof one === "string");
  return lowestOf(String(range)) ?? undefined;
}

/** The app's own, or in a workspace the one of a folder of it. */
function inTree(packages: Readonly<Record<string, unknown>>): unknown {
  const place = `node_modules/${packageName}`;
  return packages[place] ?? Object.entries(packages).find(([path]) => path.endsWith(`/${place}`))?.[1];
}

/** Of yarn and pnpm, whose locks are no JSON: the first version after the name of the package. */
function versionInLines(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const named = new RegExp(`^\\s*["']?/?${packageName}(?:@[^:]*(?::[^:]*)?)?["']?:\\s*$`);
  const start = lines.findIndex((line) => named.test(line));
  const version = /^\s+version:? ["']?(\d[^\s"'(]*)/;
  if (start < 0) return undefined;
  const found = lines.slice(start + 1, start + 6).find((line) => version.test(line)) ?? "";
  return version.exec(found)?.[1];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

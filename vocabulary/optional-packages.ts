/** A package that an app installs for a setting of its manifest, in the versions that Kirak is developed with. */
export interface OptionalPackage {
  readonly name: string;
  readonly range: string;
}

/** By the setting that needs it, whatever its value is. */
export const optionalPackages = {
  "sms.provider": { name: "libphonenumber-js", range: "^1.13.16" },
} as const satisfies Readonly<Record<string, OptionalPackage>>;

/** The line that installs a package, without the range: the mask of the log takes `name@range` for an e-mail address. */
export function installLine({ name }: OptionalPackage): string {
  return `npm install ${name}`;
}

import { storageService } from "./storage.ts";
import { storageInS3 } from "./storage-in-s3.ts";

/** Where files can be kept, for `describe.each(storageProviders)("on $name", …)`: `start` starts a service with files of its own there. */
export const storageProviders: readonly { readonly name: string; readonly start: typeof storageInS3 }[] = [
  { name: "a disk", start: storageService },
  { name: "S3", start: storageInS3 },
];

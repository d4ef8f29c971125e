import type { Logger } from "pino";
import type { StorageSettings } from "../../config/index.ts";
import type { ImageWorkshop } from "../images/image-workshop.ts";
import type { UploadSlots } from "../incoming/upload-slots.ts";
import type { FileStore } from "../stores/file-store.ts";
import type { Locks } from "./key-locks.ts";

/** What everything that stores and reads files stands on. */
export interface StorageServices {
  readonly settings: StorageSettings;
  readonly store: FileStore;
  readonly locks: Locks;
  readonly uploads: UploadSlots;
  readonly images: ImageWorkshop;
  readonly log: Logger;
}

import { linkLifetime } from "../../../../vocabulary/storage.ts";
import { linkTo } from "../files/storage-services.ts";
import { noSuchFile } from "../files/store-file.ts";
import { imageKeyOf } from "../keys/file-key.ts";
import { requireAllowedKey } from "../keys/key-reach.ts";
import { withStorageErrors } from "../storage-error.ts";
import { readWholeNumber, requirePath, type StorageRoute } from "./storage-route.ts";

/** `GET …/url`, also of thumbnails. Errors: `PERMISSION_DENIED`, `NOT_FOUND`, `STORAGE_ERROR`. */
export const fileUrl: StorageRoute = {
  parameters: ["path", "expires"],
  async run(call) {
    const { services, allowedPrefix } = call;
    const fallback = services.settings.urlTtlSeconds;
    const expires = readWholeNumber("expires", call, { ...linkLifetime, fallback });
    const key = requirePath(call);
    requireAllowedKey(allowedPrefix, imageKeyOf(key) ?? key);
    if ((await withStorageErrors(services.store.head(key))) === null) throw noSuchFile();
    return { message: "link made", data: JSON.stringify({ url: await linkTo(services, key, expires) }) };
  },
};

import type { ServerResponse } from "node:http";
import type { ThumbnailSize } from "../../../vocabulary/storage.ts";
import { staged } from "../files/store-file.ts";
import { storeImage } from "../files/store-image.ts";
import type { ImageSize } from "../images/image-workshop.ts";
import { fileNameOf } from "../keys/file-key.ts";
import type { StagedFile, StoredKey } from "../stores/file-store.ts";
import { cutOff } from "./feed-body.ts";
import type { StorageRoute } from "./storage-route.ts";
import { readThumbnailSizes } from "./thumbnail-sizes.ts";
import { receiveForm, requireAllowedType } from "./upload-form.ts";

/** POST /storage/upload/image: stores a picture, with thumbnails where they are asked for (docs/storage.md#thumbnails). */
export const uploadImage: StorageRoute = {
  method: "POST",
  operation: "upload",
  parameters: [],
  run: async (call) => {
    const { services, user, response } = call;
    const signal = clientSignal(response);
    let sizes: readonly ThumbnailSize[] | null = null;
    const thumbnails = (value: string) => {
      sizes = readThumbnailSizes(value, services.settings.thumbnails);
    };
    return receiveForm(call, { thumbnails }, async (form) => {
      requireAllowedType(services.settings, staged(form).mediaType);
      const image = await storeImage(services, form, { sizes: sizes ?? [], user, signal });
      const original = describe(form.key, image.file, image);
      const thumbnails = image.thumbnails.map((one) => ({ name: one.name, ...describe(one.key, one, one) }));
      const data = sizes === null ? { original } : { original, thumbnails };
      return { message: "image uploaded", data: JSON.stringify(data) };
    });
  },
};

interface Described extends ImageSize {
  readonly url: string;
}

function describe(
  path: StoredKey,
  { size, mediaType }: Omit<StagedFile, "path">,
  { url, width, height }: Described,
) {
  return { url, path, filename: fileNameOf(path), size, mime_type: mediaType, width, height };
}

/** Aborts when a client leaves before it has its answer: work that waits for its turn need not be begun. */
function clientSignal(response: ServerResponse): AbortSignal {
  const client = new AbortController();
  const leave = () => {
    if (!response.writableFinished) client.abort(cutOff());
  };
  if (response.destroyed) leave();
  else response.once("close", leave);
  return client.signal;
}

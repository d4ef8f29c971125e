import { linkTo } from "../files/storage-services.ts";
import { storeFile, toStagedFile } from "../files/store-file.ts";
import { fileNameOf } from "../keys/file-key.ts";
import type { StorageRoute } from "./storage-route.ts";
import { receiveForm, requireAllowedType } from "./upload-form.ts";

/** POST /storage/upload/file: stores any file (docs/storage.md#uploading). */
export const uploadFile: StorageRoute = {
  method: "POST",
  operation: "upload",
  parameters: [],
  run: (call) =>
    receiveForm(call, {}, async (form) => {
      const { services } = call;
      const file = toStagedFile(form);
      requireAllowedType(services.settings, file.mediaType);
      // Sign the link before the file is stored, because signing can fail.
      const url = await linkTo(services, form.key);
      await storeFile(services, { ...form, file });
      const data = { url, filename: fileNameOf(form.key), size: file.size, mime_type: file.mediaType };
      return { message: "file uploaded", data: JSON.stringify(data) };
    }),
};

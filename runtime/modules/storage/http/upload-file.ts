import { storeUpload } from "../files/store-upload.ts";
import type { StorageRoute } from "./storage-route.ts";
import { receiveForm } from "./upload-form.ts";

/** POST /storage/upload/file: stores any file (docs/storage.md#uploading). */
export const uploadFile: StorageRoute = {
  parameters: [],
  run: (call) =>
    receiveForm(call, {}, async (form) => {
      const stored = await storeUpload(call.services, form);
      return { message: "file uploaded", data: JSON.stringify(stored) };
    }),
};

// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineUsersPolicy } from "kirak/users";
import type { model } from "./model.ts";

export const policy = defineUsersPolicy<typeof model>({
  fields: {
    id: { read: ["*"] },
    email: { read: ["staff", "admin"] },
    nickname: { read: ["*"] },
  },
});

// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineUsersPolicy } from "kirak/users";

export const policy = defineUsersPolicy({
  fields: {
    id: { read: ["signed_in"] },
    first_name: { read: ["signed_in"] },
  },
});

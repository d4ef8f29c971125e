// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { extendUsersValidators } from "kirak/users";

export const validators = extendUsersValidators({
  required: [],
  properties: {
    is_auditor: { type: "boolean" },
  },
});

// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { extendUsersValidators } from "kirak/users";

export const validators = extendUsersValidators({
  required: [],
  properties: {
    nickname: { type: ["string", "null"], maxLength: 40 },
    plan: { enum: ["free", "team"] },
    team_id: { type: ["integer", "null"], format: "int64" },
  },
});

/** `kirak/model`, for `model.ts` and `validators.ts`. */
export {
  defineModel,
  defineValidators,
  type Json,
  type Model,
  type ModelTypes,
  type OrderBy,
  type Selection,
  type Validators,
  type Where,
} from "../models/index.ts";

/** `kirak/model`: what `model.ts` and `validators.ts` are written in. */
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

export { answersByPost, callbackMethods } from "../../../../vocabulary/social/sign-in-options.ts";
export type { NewLink } from "./accounts/link-provider.ts";
export { linkedProviders, removeLink } from "./accounts/social-rows.ts";
export type { Conversation } from "./protocols/index.ts";
export { SocialSignIn } from "./social-sign-in.ts";
export { signInCookie, stateSeconds } from "./state/sign-in-state.ts";

export { answersByPost, callbackMethods } from "../../../../vocabulary/social/sign-in-options.ts";
export type { Conversation } from "./protocols/index.ts";
export { SocialSignIn } from "./social-sign-in.ts";
export { signInCookie, stateSeconds } from "./state/sign-in-state.ts";

export { answersByPost, callbackMethods } from "./declared-provider.ts";
export type { Conversation } from "./protocols/index.ts";
export { SocialSignIn } from "./social-sign-in.ts";
export { longestDeviceToken, platforms, signInCookie, stateSeconds } from "./state/sign-in-state.ts";

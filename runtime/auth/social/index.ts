export { answersByPost, callbackMethods } from "./posts.ts";
export type { Conversation } from "./protocols/index.ts";
export { SocialSignIn } from "./social-sign-in.ts";
export { signInCookie } from "./state/sealed-cookie.ts";
export { platforms, stateSeconds } from "./state/sign-in-state.ts";
export { longestDeviceToken } from "./state/sign-in-wishes.ts";

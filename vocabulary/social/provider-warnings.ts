/** What a start says of providers that are declared all the same. */

export const switchedOff = "is believed to be switched off by its owner";

/** Whoever takes a name that was given up would take the account here. */
export const renamable = "knows people by a name that they may give up, and somebody else take";

export const anotherUser =
  "tells of users of an account, and the first of them need not be the one who signed in";

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in its usual form of 36 characters. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

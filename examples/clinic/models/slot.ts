/** Default length of an appointment, in minutes. */
export const slotMinutes = 30;

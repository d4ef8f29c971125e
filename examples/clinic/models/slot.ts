/** How long an appointment takes, unless somebody says otherwise. */
export const slotMinutes = 30;

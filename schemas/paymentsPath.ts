/** The payments of the agent with this display id (payouts 15). */
export const paymentsPath = (displayid: unknown) => `/payouts?search=${String(displayid)}&payments=all`

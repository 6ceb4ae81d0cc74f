/** The sum of amounts in dollars, added up in cents: in dollars 0.1 and 0.2 make 0.30000000000000004. */
export const sumDollars = (amounts: readonly number[]): number =>
  amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100

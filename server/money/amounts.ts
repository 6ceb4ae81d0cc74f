const currency = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** '$1,234.50' or '-$20.00' of dollars. */
export const formatAmount = (amount: number) => currency.format(amount)

/** The sum of amounts in dollars, exact to the cent: each is added in whole cents. */
export const sumDollars = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100

const currency = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** '$1,234.50' or '-$20.00' of dollars. */
export const formatAmount = (amount: number) => currency.format(amount)

/** Exact to the cent. */
export const sumDollars = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100

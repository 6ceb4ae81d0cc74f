const currency = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** '$1,234.50' or '-$20.00' of dollars. */
export const formatAmount = (amount: number) => currency.format(amount)

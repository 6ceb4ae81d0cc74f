/** SQL expression: epoch seconds of the UTC midnight of a date expression. */
export const epochSeconds = (day: string) => `extract(epoch from (${day})::date::timestamp)::bigint`

/**
 * SQL of the first day of a parameter's month or year. Of a date PostgreSQL would go by the time zone, and
 * work it out again for each row that is compared.
 */
export const firstOf = (span: 'month' | 'year', day: string) =>
  `date_trunc('${span}', ${day}::date::timestamp)::date`

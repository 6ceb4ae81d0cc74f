/** SQL expression: epoch seconds of the UTC midnight of a date expression. */
export const epochSeconds = (day: string) => `extract(epoch from (${day})::date::timestamp)::bigint`

/**
 * SQL of today in the portal's time zone, which is that of the session, as a date field holds it: epoch
 * seconds of midnight UTC of that calendar date (lists 10).
 */
export const todaySql = 'extract(epoch from current_date)::bigint'

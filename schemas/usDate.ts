/** '2026-05-04' as '05/04/2026' and '2026-05' as '05/2026'; any other text unchanged (constants 5). */
export const formatUsDate = (day: string): string =>
  day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1').replace(/^(\d{4})-(\d\d)$/, '$2/$1')

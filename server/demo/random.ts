/** A seeded generator (mulberry32): generated data is the same on every machine. */
export type Random = {
  /** 0 <= n < 1 */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
  pick<T>(from: readonly T[]): T
  chance(share: number): boolean
  digits(count: number): string
}

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    pick: (from) => from[integer(0, from.length - 1)]!,
    chance: (share) => next() < share,
    digits: (count) => Array.from({ length: count }, () => integer(0, 9)).join(''),
  }
}

/** Invented words: none is meant to be the name of a real person or company. */
export const places = [
  'Alder',
  'Briar',
  'Cinder',
  'Dapple',
  'Ember',
  'Fennel',
  'Gable',
  'Hollow',
  'Indigo',
  'Juniper',
  'Kestrel',
  'Larkspur',
  'Meadow',
  'Nettle',
  'Orchard',
  'Pebble',
  'Quarry',
  'Russet',
  'Saffron',
  'Thistle',
  'Umber',
  'Velvet',
  'Willow',
  'Yarrow',
  'Zephyr',
]
export const trades = [
  'Bakery',
  'Diner',
  'Garage',
  'Salon',
  'Pharmacy',
  'Hardware',
  'Florist',
  'Grocery',
  'Café',
  'Tailor',
  'Books',
  'Cycles',
  'Dental',
  'Fitness',
  'Laundry',
  'Motel',
  'Nursery',
  'Optics',
  'Pizza',
  'Toys',
]
export const endings = [
  '',
  ' & Sons',
  ' LLC',
  ', Inc.',
  ' "Downtown"',
  ' No. 2',
  ' = Express',
  " O'Quay",
  ' Señora',
  ' West',
]
export const offices = ['Partners', 'Merchant Group', 'Payments', 'Processing', 'Card Services', 'Associates']
export const firstNames = [
  'Ada',
  'Bo',
  'Cleo',
  'Dov',
  'Esme',
  'Finn',
  'Gia',
  'Hal',
  'Ines',
  'Jude',
  'Kai',
  'Lena',
  'Milo',
  'Nora',
  'Otis',
  'Pia',
]
export const lastNames = [
  'Ashgrove',
  'Birchwell',
  'Cloverdale',
  'Dunmoor',
  'Elmstead',
  'Fairbank',
  'Greyfen',
  'Hazelbrook',
]
export const streets = ['Amber Street', 'Birch Avenue', 'Copper Lane', 'Dune Road', 'Elm Court', 'Ferry Way']
export const towns = [
  ['Northfold', 'CA'],
  ['Eastmere', 'TX'],
  ['Southwick', 'FL'],
  ['Westbourne', 'NY'],
  ['Midvale', 'OH'],
  ['Lakemont', 'WA'],
] as const
export const products = ['Retail', 'Restaurant', 'E-commerce', 'Mobile', 'Lodging']
export const businessTypes = ['Corporation', 'LLC', 'Partnership', 'Sole Proprietor']
export const statuses = ['Approved', 'Boarded', 'Pending', 'Declined', 'Closed']

/**
 * SQL: a pseudo-random number from 0 up to `below`, the same on every machine for equal `purpose` and `of`.
 * `of` is the SQL of what it differs by: the merchant m unless another is given.
 */
export const randomSql = (below: number, purpose: number, of = 'm.id::text') =>
  `(hashtextextended(${of}, ${purpose}) & 2147483647) % ${below}`

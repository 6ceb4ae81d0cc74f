/** Generated data is the same on every machine: a small seeded generator (mulberry32). */
export type Random = {
  /** 0 <= n < 1 */
  next(): number
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number
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
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    pick: (from) => from[whole(0, from.length - 1)]!,
    chance: (share) => next() < share,
    digits: (count) => Array.from({ length: count }, () => whole(0, 9)).join(''),
  }
}

/** Invented words alone: no name here is meant to be a real person's or company's. */
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
export const firsts = [
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
export const lasts = [
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
export const kinds = ['Corporation', 'LLC', 'Partnership', 'Sole Proprietor']
export const statuses = ['Approved', 'Boarded', 'Pending', 'Declined', 'Closed']

declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream'
  import type { Submittable } from 'pg'
  /** A stream to hand to client.query(); what is written to it is COPY's input. */
  export function from(sql: string): Writable & Submittable & { rowCount: number }
  /** A stream to hand to client.query(); COPY's output is read from it. */
  export function to(sql: string): Readable & Submittable
}

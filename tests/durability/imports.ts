import { randomUUID } from 'node:crypto'
import { portfolioCsv } from '../files/portfolio.ts'
import type { RunningPortal } from '../fixtures/portal.ts'
import type { Reply } from './office.ts'

/**
 * Imports so many merchants that no other number's file holds; null when the portal died before it answered.
 */
export async function importMerchants(
  portal: RunningPortal,
  rows: number,
  number: number,
  job: string = randomUUID(),
): Promise<Reply | null> {
  const form = new FormData()
  form.append('file', new Blob([...portfolioCsv(rows, number * rows)]), `merchants ${number}.csv`)
  const sent = { method: 'POST', headers: portal.headers(), body: form }
  try {
    const reply = await fetch(`${portal.url}/api/v1/file/merchant?job=${job}`, sent)
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  } catch {
    return null
  }
}

/** Resolves once an import has come to this phase, or is over. */
export async function comesTo(portal: RunningPortal, job: string, phase: string, sending: Promise<unknown>) {
  let isOver = false
  void sending.then(() => (isOver = true))
  while (!isOver) {
    const { body } = await portal.call('GET', `/api/v1/file/merchant/progress/${job}`)
    if (body['phase'] === phase) return
  }
}

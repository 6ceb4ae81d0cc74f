import { nameFault as faultOf } from '../../schemas/fileName.ts'

/** What is wrong with the name of a file, in one sentence; null when nothing is. */
export function nameFault(name: string): string | null {
  const fault = faultOf(name)
  return fault && [fault.message, fault.detail].filter(Boolean).join(': ')
}

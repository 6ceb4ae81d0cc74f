/**
 * Stands for a call to the server in a machine, and rejects. `src/api/provide.ts` and the tests give the
 * machine the real call by `provide`; a call that they forgot fails like any failed call. Machines write
 * `() => notProvided()`: tools that draw a machine evaluate its file without its imports.
 */
export const notProvided = async (): Promise<never> => {
  throw new Error('not provided')
}

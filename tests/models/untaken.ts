/**
 * Transitions of the machines that no person can bring about at a screen, each with the reason. The tests of the models
 * demand exactly these: what can be taken must be taken.
 */
export const untaken: Readonly<Record<string, string>> = {}

/** Those of one machine. */
export const untakenOf = (machine: string): string[] => Object.keys(untaken).filter((id) => id.startsWith(`${machine}.`) || id.startsWith(`${machine} `))

const browser =
  'the script of the help desk runs in a browser alone: taken in Chromium by tests/browser/widget.test.ts, which demands it'
/** Why no browser takes a transition either. */
export const instant = 'it takes less than a turn of the page, or cannot fail there'

/**
 * Transitions of the machines that no person can bring about at a screen, each with the reason. The tests of
 * the models demand exactly these: what can be taken must be taken.
 */
export const unreachable: Readonly<Record<string, string>> = {
  'widget.idle | install | 0': browser,
  'widget.loading | leave | 0': browser,
  'widget.loading | xstate.done.actor.loadScript | 0': browser,
  'widget.loading | xstate.error.actor.loadScript | 0': browser,
  'widget.loading | xstate.after.scriptTimeout.widget.loading | 0': browser,
  'widget.waiting | leave | 0': browser,
  'widget.waiting | xstate.after.readinessPoll.widget.waiting | 0': browser,
  'widget.checking | leave | 0': instant,
  'widget.checking | xstate.done.actor.checkReadiness | 0': browser,
  'widget.checking | xstate.done.actor.checkReadiness | 1': browser,
  'widget.checking | xstate.done.actor.checkReadiness | 2': browser,
  'widget.checking | xstate.error.actor.checkReadiness | 0': instant,
  'widget.signingIn | leave | 0': instant,
  'widget.signingIn | xstate.done.actor.signIn | 0': browser,
  'widget.signingIn | xstate.error.actor.signIn | 0': browser,
  'widget.ready | leave | 0': browser,
  'widget.failed | leave | 0': browser,
}

/** Those of one machine. */
export const unreachableOf = (machine: string): string[] =>
  Object.keys(unreachable).filter((id) => id.startsWith(`${machine}.`) || id.startsWith(`${machine} `))

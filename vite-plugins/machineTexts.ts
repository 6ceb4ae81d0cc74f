import type { Plugin } from 'vite'

/** `description` of a state: a text in quotes, on the same line or the next. */
const description = /\bdescription:\s*(?:'[^'\n]*'|"[^"\n]*"),/g

/**
 * Leaves the descriptions of states out of the build, which only the charts and the inspector show: 0.4 kB of
 * brotli in the first load of a list (decision 32). Lines stay, so that source maps hold.
 */
export const withoutDescriptions = (): Plugin => ({
  name: 'without-descriptions',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/machines\/.*\.machine\.ts$/.test(id)) return null
    return { code: code.replace(description, (text) => text.replace(/[^\n]/g, '')), map: null }
  },
})

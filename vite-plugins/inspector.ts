import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('../inspector', import.meta.url))
const address = '/inspector.html'

/** Serves the page of the inspector and adds its script to the portal's page, only in development. */
export const inspector = (): Plugin => ({
  name: 'inspector',
  apply: 'serve',
  config: () => ({ optimizeDeps: { include: ['elkjs/lib/elk.bundled.js', '@statelyai/inspect'] } }),
  transformIndexHtml: (_, { path }) =>
    path === address
      ? []
      : [
          {
            tag: 'script',
            attrs: { type: 'module', src: `/@fs${folder}/send.ts` },
            injectTo: 'head-prepend',
          },
        ],
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      if (request.url?.split('?')[0] !== address) return next()
      void readFile(`${folder}/page.html`, 'utf8')
        .then((page) => server.transformIndexHtml(address, page.replace('/@inspector/', `/@fs${folder}/`)))
        .then((page) => response.setHeader('content-type', 'text/html').end(page), next)
    })
  },
})

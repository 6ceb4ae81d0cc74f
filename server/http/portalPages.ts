import { existsSync } from 'node:fs'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { projectFolder } from '../config/projectFolder.ts'

/** Headers that browsers read of pages alone: scripts, styles and calls come without (decision 32). */
const pageHeaders = ['cross-origin-opener-policy', 'origin-agent-cluster', 'x-dns-prefetch-control']
/** Headers that also rule what the answer of a call may do when it is opened as a page. */
const contentHeaders = ['content-security-policy', 'referrer-policy', 'x-frame-options']
const isScriptOrStyle = (url: string) => /^\/assets\/[^?]+\.(js|css)$/.test(url)

/** The headers that an answer at this address does without. */
const unreadHeaders = (url: string): readonly string[] => {
  if (isScriptOrStyle(url)) return [...pageHeaders, ...contentHeaders]
  return url.startsWith('/api/') ? pageHeaders : []
}

/**
 * Without 'unsafe-eval': the validators of the forms are compiled when the portal is built (operations 9).
 */
export async function registerSecurityHeaders(app: FastifyInstance, config: Config) {
  const widgetOrigins = config.helpdesk.widget ? [new URL(config.helpdesk.widget.script).origin] : []
  const ownAndWidget = ["'self'", ...widgetOrigins]
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The host of the help desk's widget may do what the portal itself may; no other host may.
        ...(widgetOrigins.length > 0 && {
          scriptSrc: ownAndWidget,
          styleSrc: ownAndWidget,
          fontSrc: ownAndWidget,
          connectSrc: ownAndWidget,
          frameSrc: widgetOrigins,
        }),
        imgSrc: [...ownAndWidget, 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'", ...(config.helpdeskForm.url ? [new URL(config.helpdeskForm.url).origin] : [])],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // Internet Explorer, Flash and the filters of old browsers alone read these.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    for (const name of unreadHeaders(request.url)) reply.raw.removeHeader(name)
  })
}

/**
 * Serves the built portal. Any path that is no file and no call answers the page, which routes it (operations
 * 1).
 */
export async function registerPortalPages(app: FastifyInstance) {
  const root = join(projectFolder, 'dist/portal')
  if (!existsSync(join(root, 'index.html'))) return
  await app.register(files, {
    root,
    wildcard: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    // The tag says whether a file has changed, and nobody asks for a part of one (decision 32).
    lastModified: false,
    acceptRanges: false,
    globIgnore: ['**/.vite/**', '**/*.map', '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      void reply.setHeader(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0]!
    if (path.startsWith('/api/') || path.startsWith('/assets/')) return reply.callNotFound()
    return reply.sendFile('index.html')
  })
}

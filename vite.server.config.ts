import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** What runs as a process of its own: the portal, the reader of imported files and what starts
 * it, and the commands of operators. */
const programs = {
  main: at('server/main.ts'),
  reader: at('server/imports/process/reader.ts'),
  launcher: at('server/imports/process/launcher.ts'),
  command: at('server/backup/command.ts'),
}

export default defineConfig({
  root: at('.'),
  publicDir: false,
  logLevel: 'warn',
  ssr: { external: true, noExternal: [] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: at('dist/server'),
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(programs).filter(([, file]) => existsSync(file))),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})

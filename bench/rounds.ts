import type { Area, Case, Figures, Measured } from './case.ts'
import type { Environment } from './environment.ts'
import { orderOfRound } from './statistics.ts'

type Options = {
  /** The statistics leave out the first one. */
  rounds: number
  /** Of one sample, at least one call. */
  millis: number
  isWanted(area: Area, it: Case): boolean
  onCase(area: Area, it: Case): void
  /** Takes the figures of a case when all its rounds are over. */
  onMeasured(figures: readonly Measured[]): void
}

/** Measures a case round by round; in each round everybody once, in another order. */
async function measureCase(
  environment: Environment,
  area: Area,
  it: Case,
  { rounds, millis }: Options,
): Promise<Measured[]> {
  const contenders = await it.contenders(environment)
  const found = new Map<string, Figures[]>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const contender of orderOfRound(contenders, round)) {
      await contender.prepare?.()
      found.get(contender.name)!.push(await contender.sample(millis))
    }
  return [...found].map(([contender, figures]) => ({
    area: area.name,
    case: it.name,
    contender,
    size: environment.size,
    rounds: figures,
  }))
}

/** Measures the wanted cases of some areas, one after another. */
export async function measureAreas(
  environment: Environment,
  areas: readonly Area[],
  options: Options,
): Promise<void> {
  for (const area of areas)
    for (const it of area.cases) {
      if (!options.isWanted(area, it)) continue
      options.onCase(area, it)
      options.onMeasured(await measureCase(environment, area, it, options))
    }
}

/** The part of an Ajv error that decides its sentence. */
export type Fault = { keyword: string; instancePath: string; params: Record<string, unknown> }
export type Sayings = Record<string, string>
/** The part of a schema's property that its sentences use. */
type Property = {
  title?: string
  kind?: string
  oneOf?: readonly { title: string }[]
  items?: { properties?: Readonly<Record<string, Property>> }
}
type Node = { properties?: Readonly<Record<string, Property>> }

/** 'A 1,234.5' without a locale surprise. */
const number = (value: unknown) => Number(value).toLocaleString('en-US')

const typeWords: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a record',
}

const sentence = (title: string, { keyword, params }: Fault, property: Property | undefined): string => {
  if (property?.kind === 'seconds' && keyword !== 'required') return `${title} is not a valid date`
  switch (keyword) {
    case 'required':
      return `${title} is required`
    case 'minLength':
      return Number(params.limit) === 1
        ? `${title} is required`
        : `${title} needs at least ${number(params.limit)} characters`
    case 'maxLength':
      return `${title} may have at most ${number(params.limit)} characters`
    case 'minimum':
      return `${title} must be at least ${number(params.limit)}`
    case 'maximum':
      return `${title} may be at most ${number(params.limit)}`
    case 'multipleOf':
      return `${title} may have at most ${Math.max(0, Math.round(-Math.log10(Number(params.multipleOf))))} decimals`
    case 'additionalProperties':
      return `${String(params.additionalProperty)} is not a field of this record`
    case 'format':
      return params.format === 'email'
        ? `${title} must be a valid email address`
        : `${title} is not a valid ${String(params.format)}`
    case 'enum':
    case 'oneOf':
    case 'const':
      return `${title} must be one of ${property?.oneOf?.map((option) => option.title).join(', ') ?? 'the offered values'}`
    case 'type': {
      const type = [params.type]
        .flat()
        .filter((word) => word !== 'null')
        .map((word) => typeWords[String(word)] ?? String(word))
      return `${title} must be ${type.join(' or ')}`
    }
    default:
      return `${title} is not valid`
  }
}

/**
 * What we say when a value is wrong, alike in form and server. Answers the field ('collectionSubscriptions.0.amount'
 * for a nested one) and its sentence; `sayings` holds the specification's own texts as '{field} {keyword}'.
 */
export const say = (
  schema: Node,
  fault: Fault,
  sayings: Sayings = {},
): { field: string; message: string } => {
  const path = fault.instancePath.split('/').slice(1)
  const missing = fault.params.missingProperty ?? fault.params.additionalProperty
  if (typeof missing === 'string') path.push(missing)
  let property: Property | undefined
  let properties = schema.properties
  for (const step of path) {
    if (/^\d+$/.test(step)) continue
    property = properties?.[step]
    properties = property?.items?.properties
  }
  const last = path.filter((step) => !/^\d+$/.test(step)).join('.')
  const isBlank =
    (fault.keyword === 'minLength' && Number(fault.params.limit) === 1) ||
    (fault.keyword === 'pattern' && fault.params.pattern === '\\S')
  const keyword = isBlank ? 'required' : fault.keyword
  const wanted = property?.kind === 'reference' && keyword === 'type' ? 'required' : keyword
  const title = property?.title ?? (last || 'The record')
  return {
    field: path.join('.'),
    message: sayings[`${last} ${wanted}`] ?? sentence(title, { ...fault, keyword: wanted }, property),
  }
}

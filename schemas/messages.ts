import { countNoun } from './wording.ts'

/**
 * The part of an Ajv error from which its message is made. A check that is not one of Ajv's has
 * `params.messageEnd`, which stands behind the title.
 */
export type SchemaFault = { keyword: string; instancePath: string; params: Record<string, unknown> }
/** Messages that replace the usual ones, keyed '{field} {keyword}': 'parentid required'. */
export type MessageOverrides = Record<string, string>
/** The part of a schema's property from which its messages are made. */
type Property = {
  title?: string
  kind?: string
  /** Stands behind the title where pattern or format do not match: 'must be exactly 6 digits'. */
  messageEnd?: string
  oneOf?: readonly { title: string }[]
  items?: { type?: unknown; properties?: Readonly<Record<string, Property>> }
  properties?: object
}
type Node = { properties?: Readonly<Record<string, Property>> }

/** '1,234.5', whatever the locale of the browser. */
const formatNumber = (value: unknown) => Number(value).toLocaleString('en-US')

const typeNames: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a JSON object',
}

/** The values of Ajv's keywords enum and const. */
const allowedValues = ({ allowedValues: several, allowedValue: one }: SchemaFault['params']): string[] =>
  [several ?? one].flat().map(String)

const defaultMessage = (
  title: string,
  { keyword, params }: SchemaFault,
  property: Property | undefined,
): string => {
  if (property?.kind === 'seconds' && keyword !== 'required') return `${title} is not a valid date`
  switch (keyword) {
    case 'required':
      return `${title} is required`
    case 'minLength':
      return Number(params.limit) === 1
        ? `${title} is required`
        : `${title} needs at least ${formatNumber(params.limit)} characters`
    case 'maxLength':
      return `${title} may have at most ${formatNumber(params.limit)} characters`
    case 'minItems':
      return `${title} needs at least ${countNoun(Number(params.limit), 'entry', 'entries')}`
    case 'maxItems':
      return `${title} may have at most ${countNoun(Number(params.limit), 'entry', 'entries')}`
    case 'minimum':
      return `${title} must be at least ${formatNumber(params.limit)}`
    case 'maximum':
      return `${title} may be at most ${formatNumber(params.limit)}`
    case 'multipleOf': {
      const decimals = Math.max(0, Math.round(-Math.log10(Number(params.multipleOf))))
      return `${title} may have at most ${decimals} decimals`
    }
    case 'additionalProperties':
      return `${String(params.additionalProperty)} is not a field of this record`
    case 'format':
      return params.format === 'email'
        ? `${title} must be a valid email address`
        : `${title} is not a valid ${String(params.format)}`
    case 'enum':
    case 'oneOf':
    case 'const': {
      const choices = property?.oneOf?.map((option) => option.title) ?? allowedValues(params)
      return `${title} must be ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`
    }
    case 'type': {
      const type = [params.type]
        .flat()
        .filter((word) => word !== 'null')
        .map((word) => typeNames[String(word)] ?? String(word))
      return `${title} must be ${type.join(' or ')}`
    }
    default:
      return `${title} is not valid`
  }
}

/**
 * The message of a schema fault, the same in the form and on the server (lists 8), and the field it belongs
 * to; a nested field is written 'collectionSubscriptions.0.amount'.
 */
export const validationMessage = (
  schema: Node,
  fault: SchemaFault,
  overrides: MessageOverrides = {},
): { field: string; message: string } => {
  const path = fault.instancePath.split('/').slice(1)
  const missing = fault.params.missingProperty ?? fault.params.additionalProperty
  if (typeof missing === 'string') path.push(missing)
  let property: Property | undefined
  let properties = schema.properties
  for (const step of path) {
    if (/^\d+$/.test(step)) continue
    property = properties?.[step]
    properties = (property?.properties as Node['properties']) ?? property?.items?.properties
  }
  const last = path.filter((step) => !/^\d+$/.test(step)).join('.')
  const isBlank =
    (fault.keyword === 'minLength' && Number(fault.params.limit) === 1) ||
    (fault.keyword === 'pattern' && fault.params.pattern === '\\S')
  const keyword = isBlank ? 'required' : fault.keyword
  const effectiveKeyword = property?.kind === 'reference' && keyword === 'type' ? 'required' : keyword
  const title = property?.title ?? (last || 'The body')
  const isOfForm = keyword === 'pattern' || keyword === 'format'
  const messageEnd = fault.params.messageEnd ?? (isOfForm ? property?.messageEnd : undefined)
  return {
    field: path.join('.'),
    message:
      messageEnd !== undefined
        ? `${title} ${String(messageEnd)}`
        : (overrides[`${last} ${effectiveKeyword}`] ??
          defaultMessage(title, { ...fault, keyword: effectiveKeyword }, property)),
  }
}

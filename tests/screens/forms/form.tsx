import type { RJSFSchema } from '@rjsf/utils'
import { createPrecompiledValidator } from '@rjsf/validator-ajv8'
import { render, screen } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { vi } from 'vitest'
import type { LookupRow } from '../../../schemas/entities/lookups.ts'
import { noPermissions, type Permission, type Viewer } from '../../../schemas/permissions.ts'
import { LoadedEntityForm, type EntityFormProps } from '../../../src/forms/EntityForm.tsx'
import { newUser } from '../newUser.ts'
import { entities } from './sample.ts'
import { entities as load } from './sample.ts?validators'

export const sample = entities.sample
const sampleValidator = createPrecompiledValidator(
  (await load.sample()).default,
  sample.schema as unknown as RJSFSchema,
)

export const viewerWith = (...held: Permission[]): Viewer => ({
  username: 'ann',
  admin: false,
  permissions: { ...noPermissions, ...Object.fromEntries(held.map((name) => [name, true])) },
  masteragentid: null,
  seesall: true,
})

export const agents: LookupRow[] = ['North', 'South', 'East'].map((name, at) => ({
  id: at + 1,
  displayid: `MA000${at + 1}`,
  name,
}))

/** The props of the form; its callbacks are mocks. */
const formProps = (given: Partial<EntityFormProps> = {}) => {
  const lookup = vi.fn<EntityFormProps['searchRecords']>(async (_to, search, id) =>
    agents.filter((row) =>
      id === null
        ? `${row.displayid} ${row.name}`.toLowerCase().includes(search.toLowerCase())
        : row.id === id,
    ),
  )
  const props: EntityFormProps = {
    entity: sample,
    viewer: viewerWith('manage_users'),
    row: null,
    faults: {},
    busy: false,
    searchRecords: lookup,
    onChange: vi.fn(),
    onSave: vi.fn(),
    formId: 'it',
    ...given,
  }
  return {
    ...props,
    lookup: props.searchRecords as typeof lookup,
    onChange: vi.mocked(props.onChange),
    onSave: vi.mocked(props.onSave),
  }
}

export const inDialog = (form: ReactNode) => (
  <>
    {form}
    <button type="submit" form="it">
      Save
    </button>
  </>
)

/**
 * The sample's form in a dialog's stead, and what a person does with it. `change` gives the form other props.
 */
export const drawForm = (given: Partial<EntityFormProps> = {}) => {
  const setting = formProps(given)
  let change: (more: Partial<EntityFormProps>) => void = () => {}
  const Frame = () => {
    const [more, setMore] = useState<Partial<EntityFormProps>>({})
    change = setMore
    return inDialog(<LoadedEntityForm {...setting} {...more} validator={sampleValidator} />)
  }
  const user = newUser()
  const { container } = render(<Frame />)
  return {
    ...setting,
    user,
    container,
    change: (more: Partial<EntityFormProps>) => change(more),
    save: () => user.click(screen.getByRole('button', { name: 'Save' })),
  }
}

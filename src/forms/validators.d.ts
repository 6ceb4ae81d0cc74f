/** Made by vite-plugins/rjsf-validators.ts: one lazily loaded validator for each schema a file exports. */
type Loader = () => Promise<{ default: import('@rjsf/validator-ajv8').ValidatorFunctions }>

declare module '*/schemas/entities/index.ts?validators' {
  export const entities: Readonly<Record<string, Loader>>
}

declare module '*/schemas/api/session.ts?validators' {
  export const newPassword: Loader
}

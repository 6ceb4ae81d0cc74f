declare module '*/sample.ts?validators' {
  export const entities: {
    sample: () => Promise<{ default: import('@rjsf/validator-ajv8').ValidatorFunctions }>
  }
}
